/// <summary>Differences by columns: numbers told by how far they are from predicted ones.</summary>
internal sealed partial class Applier
{
    private const int MostLevels = 16, MostFields = 1000, StepsWidth = 24;
    private const long MostSteps = 4194304;

    private List<object> _older;
    private int _ahead = 1, _gap = 1;

    /// <summary>Adds an older base, and how many states lie between.</summary>
    internal Applier After(List<object> older, int ahead, int gap)
    {
        _older = older;
        _ahead = ahead;
        _gap = gap;
        return this;
    }

    internal void Root(int at)
    {
        if (!_bits.Bit())
        {
            Keep(0, _base.Count);
            return;
        }
        bool isByColumns = _bits.Bit();
        Part root = Resolved(at);
        List<Field> fields = isByColumns && IsDict(root) ? Fields(root, null) : null;
        if (fields == null)
        {
            Value(at, 0);
            return;
        }
        List<int> older = _older == null ? null : Places(root, null, _older, 0);
        if (older != null) PredictRoot(fields, Places(root, null, _base, 0), older);
        _bits.Value();
        _bits.Down();
        // The numbers of the fields that are keys of the root itself.
        int field = 0;
        var numbers = new Dictionary<int, int>();
        for (int key = 0; key < root.Keys.Length; key++)
        {
            Part inner = Resolved(root.Keys[key].Part);
            if (!root.Keys[key].Optional && IsDict(inner)) field += Fields(inner, null).Count;
            else numbers[key] = field++;
        }
        Dict(root, 0, null, (key, from) =>
        {
            Part set = Resolved(root.Keys[key].Part);
            bool isSet = set != null && !set.Nullable && (set.Kind == "keyed" || set.Kind == "keyed_map") && FieldsOf(set) != null;
            if (!isSet || !_bits.Bit()) Value(root.Keys[key].Part, from);
            else SetByColumns(set, from, older == null ? -1 : older[numbers[key]]);
        });
        _bits.Up();
    }

    private Part Resolved(int at)
    {
        for (int step = 0; step < MostLevels; step++)
        {
            Part part = _codec.At(at);
            if (part.Kind != "same" || part.Nullable) return part;
            at = part.Other;
        }
        return null;
    }

    private static bool IsDict(Part part)
    {
        return part != null && !part.Nullable && part.Kind == "dict";
    }

    /// <summary>A part that is no dict that is always there.</summary>
    private sealed class Field
    {
        internal int Part;
        internal bool Optional;
        /// <summary>The forms of a column's numbers, none for those of its rotation; where that begins, and its bits.</summary>
        internal Form[] Lanes;
        internal int Turn = -1, Bits;
        /// <summary>Whether no entry of this difference says anything of it.</summary>
        internal bool IsStill;
        internal int Numbers => Lanes.Length + (Turn < 0 ? 0 : 3);
    }

    private static bool IsLane(Form form)
    {
        if (form.Kind == "span" || form.Kind == "grid") return form.CodeWidth <= 32;
        return form.Kind == "angle" || (form.Kind == "steps" && form.Narrow);
    }

    private Field FieldAt(int at, bool isOptional)
    {
        var field = new Field { Part = at, Optional = isOptional };
        Part part = Resolved(at);
        if (part == null || part.Nullable) return field;
        Form[] lanes = null;
        if (part.Kind == "int" || part.Kind == "float") lanes = new[] { part.Form };
        else if (part.Kind == "solid" && part.Solid.Kind == "each") lanes = part.Solid.Forms;
        else if (part.Kind == "solid" && part.Solid.Kind == "rotation") lanes = new Form[0];
        else if (part.Kind == "solid" && part.Solid.Kind == "rigid") lanes = new[] { part.Solid.Origin, part.Solid.Origin, part.Solid.Origin };
        if (lanes == null || !lanes.All(IsLane)) return field;
        field.Lanes = lanes;
        if (part.Kind == "solid" && part.Solid.Turn != int.MaxValue)
        {
            field.Turn = lanes.Length;
            field.Bits = part.Solid.Bits;
        }
        return field;
    }

    /// <summary>The fields of a dict, but for the key of an entry. Null: they are too many.</summary>
    private List<Field> Fields(Part dict, ulong? entry)
    {
        var fields = new List<Field>();
        return Grow(dict, entry != null, fields, 1) ? fields : null;
    }

    private List<Field> FieldsOf(Part set)
    {
        if (set.Kind == "keyed") return Fields(_codec.At(set.Items[0]), 0);
        Part value = Resolved(set.Items[1]);
        return IsDict(value) ? Fields(value, null) : new List<Field> { FieldAt(set.Items[1], false) };
    }

    private bool Grow(Part dict, bool isEntry, List<Field> fields, int level)
    {
        for (int number = isEntry ? 1 : 0; number < dict.Keys.Length; number++)
        {
            Key key = dict.Keys[number];
            Part inner = Resolved(key.Part);
            if (!key.Optional && IsDict(inner) && level < MostLevels)
            {
                if (!Grow(inner, false, fields, level + 1)) return false;
            }
            else fields.Add(FieldAt(key.Part, key.Optional));
            if (fields.Count > MostFields) return false;
        }
        return true;
    }

    /// <summary>Where each field begins, -1 where it is missing.</summary>
    private List<int> Places(Part dict, ulong? entry, List<object> codes, int from)
    {
        var places = new List<int>();
        Locate(dict, entry != null, codes, from, places, 1);
        return places;
    }

    private List<int> PlacesOf(Part set, List<object> codes, int from)
    {
        if (set.Kind == "keyed") return Places(_codec.At(set.Items[0]), 0, codes, from);
        Part value = Resolved(set.Items[1]);
        return IsDict(value) ? Places(value, null, codes, from) : new List<int> { from };
    }

    private int Locate(Part dict, bool isEntry, List<object> codes, int from, List<int> places, int level)
    {
        int flags = from;
        int at = from + dict.Optional;
        for (int number = 0; number < dict.Keys.Length; number++)
        {
            Key key = dict.Keys[number];
            if (isEntry && number == 0)
            {
                at++;
                continue;
            }
            Part inner = Resolved(key.Part);
            if (!key.Optional && IsDict(inner) && level < MostLevels)
            {
                at = Locate(inner, false, codes, at, places, level + 1);
                continue;
            }
            if (key.Optional && (ulong)codes[flags++] == 0)
            {
                places.Add(-1);
                continue;
            }
            places.Add(at);
            at = _codec.Skip(key.Part, codes, at);
        }
        return at;
    }

    private void PredictRoot(List<Field> fields, List<int> places, List<int> older)
    {
        var likely = new List<object>(_base);
        for (int number = 0; number < fields.Count; number++)
        {
            Field field = fields[number];
            int at = places[number];
            if (field.Lanes == null || at < 0 || older[number] < 0 || !_bits.Bit()) continue;
            ulong[] codes = Likely(field, at, older[number], _ => true);
            for (int each = 0; each < codes.Length; each++) likely[at + each] = codes[each];
        }
        _base.Clear();
        _base.AddRange(likely);
    }

    // Predictions.

    private static long StepOf(Form form, ulong code)
    {
        return form.Kind == "steps" ? Form.Unzigzag(code) : (long)code;
    }

    private static long Shorter(Form form, long far)
    {
        if (form.Kind != "angle") return far;
        long half = 1L << (form.Bits - 1);
        return ((far + half) & (2 * half - 1)) - half;
    }

    private static long Clamp(long number, long least, long most)
    {
        return Math.Min(Math.Max(number, least), most);
    }

    private ulong Predicted(Form form, ulong newer, ulong older)
    {
        long a = StepOf(form, newer);
        long above = 2 * Shorter(form, a - StepOf(form, older)) * _ahead + _gap, below = 2L * _gap;
        // Rounded down, also below 0.
        long to = a + above / below - (above % below < 0 ? 1 : 0);
        if (form.Kind == "angle") return (ulong)to & ((1UL << form.Bits) - 1);
        return form.Kind == "steps" ? Form.Zigzag(Clamp(to, -MostSteps, MostSteps)) : (ulong)Clamp(to, 0, (long)form.Last);
    }

    private static ulong Restored(Form form, int bits, ulong from, ulong distance)
    {
        long far = Form.Unzigzag(distance);
        if (form == null || form.Kind == "span" || form.Kind == "grid")
        {
            ulong last = form == null ? 2 * ((1UL << (bits - 1)) - 1) : form.Last;
            long code = (long)from + far;
            return code < 0 || (ulong)code > last ? throw new PackException("OUT_OF_RANGE") : (ulong)code;
        }
        long to = StepOf(form, from) + far;
        if (form.Kind == "angle")
        {
            return distance >> form.Bits == 0 ? (ulong)to & ((1UL << form.Bits) - 1) : throw new PackException("OUT_OF_RANGE");
        }
        return to < -MostSteps || to > MostSteps ? throw new PackException("OUT_OF_RANGE") : Form.Zigzag(to);
    }

    private static ulong[] Turn(List<object> codes, int at)
    {
        return codes.GetRange(at, 4).Cast<ulong>().ToArray();
    }

    /// <summary>The quaternion that a rotation is likely to have.</summary>
    private double[] Turned(Field field, int at, int older)
    {
        double[] a = Turns.Exact(Turn(_base, at + field.Turn), field.Bits);
        return older < 0 ? a : Turns.Predicted(a, Turns.Exact(Turn(_older, older + field.Turn), field.Bits), _ahead, _gap);
    }

    /// <summary>The codes that a field is likely to have.</summary>
    private ulong[] Likely(Field field, int at, int older, Func<int, bool> isTwo)
    {
        var codes = new List<ulong>();
        for (int number = 0; number < field.Lanes.Length; number++)
        {
            ulong was = (ulong)_base[at + number];
            codes.Add(isTwo(number) ? Predicted(field.Lanes[number], was, (ulong)_older[older + number]) : was);
        }
        if (field.Turn < 0) return codes.ToArray();
        ulong[] turn = Turn(_base, at + field.Turn);
        bool isMoving = isTwo(field.Turn) && !turn.SequenceEqual(Turn(_older, older + field.Turn));
        codes.AddRange(isMoving ? Turns.OfQuaternion(Turned(field, at, older), field.Bits) : turn);
        return codes.ToArray();
    }

    // Columns.

    /// <summary>A column with codes of its own.</summary>
    private sealed class Own
    {
        internal bool IsDense;
        internal readonly List<bool> Two = new List<bool>();
        internal readonly List<int> Codes = new List<int>();
        /// <summary>Entries whose rotation leaves out another number than is predicted.</summary>
        internal readonly HashSet<int> Charts = new HashSet<int>();
    }

    /// <summary>An entry of the base that stays.</summary>
    private sealed class Kept
    {
        internal ulong Key;
        internal int From, Older;
        internal bool IsMoving, IsWritten;
    }

    private Own[] Table(List<Field> fields)
    {
        var table = new Own[fields.Count];
        for (int number = 0; number < fields.Count; number++)
        {
            Field field = fields[number];
            if (field.Lanes == null || !_bits.Bit())
            {
                field.IsStill = _codec.At(field.Part).Codes != 0 && !_bits.Bit();
                continue;
            }
            var own = new Own { IsDense = _bits.Bit() };
            for (int unit = 0; unit < field.Lanes.Length + (field.Turn < 0 ? 0 : 1); unit++)
            {
                own.Two.Add(_older != null && _bits.Bit());
                for (int code = 0; code < (unit == field.Turn ? 3 : 1); code++) own.Codes.Add((int)_bits.Take(5));
            }
            table[number] = own;
        }
        return table;
    }

    private ulong Plain(int order, int width)
    {
        int ones = 0;
        while (_bits.Bit())
        {
            if (++ones > width + 2) throw new PackException("OUT_OF_RANGE");
        }
        ulong high = (1UL << ones) + _bits.Take(ones) - 1;
        return (high << order) + _bits.Take(order);
    }

    private ulong Distance(int code, int width)
    {
        int order = code & 15;
        if (code < 16) return Plain(order, width);
        if (!_bits.Bit()) return _bits.Take(order);
        return _bits.Bit() ? (2UL << order) + Plain(order, width) : (1UL << order) + _bits.Take(order);
    }

    private bool[] Marks(int count)
    {
        var marks = new bool[count];
        if (count == 0) return marks;
        if (!_bits.Bit())
        {
            _bits.Needs((ulong)count, 1);
            for (int at = 0; at < count; at++) marks[at] = _bits.Bit();
            return marks;
        }
        bool isOfOthers = _bits.Bit();
        ulong many = _bits.Varint("WRONG_SIZE");
        if (many > (ulong)count) throw new PackException("WRONG_SIZE");
        _bits.Needs(many, 6);
        for (int at = 0; at < count; at++) marks[at] = isOfOthers;
        ulong next = 0;
        for (ulong each = 0; each < many; each++)
        {
            ulong gap = _bits.Varint("OUT_OF_RANGE");
            if (gap >= (ulong)count || next + gap >= (ulong)count) throw new PackException("OUT_OF_RANGE");
            marks[next + gap] = !isOfOthers;
            next += gap + 1;
        }
        return marks;
    }

    private List<Kept> Stay(Part set, int from, int older)
    {
        List<KeyValuePair<ulong, int>> entries = _codec.Entries(set, _base, from);
        bool[] gone = _bits.Bit() ? Marks(entries.Count) : new bool[entries.Count];
        var before = new Dictionary<ulong, int>();
        if (older >= 0)
        {
            foreach (var entry in _codec.Entries(set, _older, older)) before[entry.Key] = entry.Value;
        }
        int item = set.Kind == "keyed_map" ? set.Items[1] : set.Items[0];
        var kept = new List<Kept>();
        for (int number = 0; number < entries.Count; number++)
        {
            if (gone[number]) continue;
            int at = entries[number].Value;
            int was = before.TryGetValue(entries[number].Key, out int found) ? found : -1;
            bool isStill = was >= 0 && IsSame(at, _codec.Skip(item, _base, at), was, _codec.Skip(item, _older, was));
            kept.Add(new Kept { Key = entries[number].Key, From = at, Older = was, IsMoving = _older == null || !isStill });
        }
        return kept;
    }

    private bool IsSame(int from, int end, int was, int wasEnd)
    {
        if (end - from != wasEnd - was) return false;
        for (int at = from; at < end; at++)
        {
            if (!Bits(_base[at]).Equals(Bits(_older[was + at - from]))) return false;
        }
        return true;
    }

    /// <summary>A float as its bits: 0 and -0 are two codes.</summary>
    private static object Bits(object code)
    {
        return code is double ? BitConverter.DoubleToInt64Bits((double)code) : code;
    }

    private bool HasBases(int at, int older)
    {
        return at >= 0 && (_older == null || older >= 0);
    }

    private void SetByColumns(Part set, int from, int older)
    {
        _bits.Value();
        _bits.Down();
        List<Field> fields = FieldsOf(set);
        Own[] table = Table(fields);
        List<Kept> kept = Stay(set, from, older);
        // Predicting takes no bits: it is charged as what is told in full.
        if (table.Any(own => own != null && own.Two.Contains(true)))
        {
            long all = (long)kept.Count * (fields.Count + 1);
            if (all > Limits.Values - _bits.Values) throw new PackException("TOO_MANY_VALUES");
            _bits.Values += (int)all;
        }
        foreach (bool isMoving in new[] { true, false })
        {
            List<Kept> some = kept.Where(entry => entry.IsMoving == isMoving).ToList();
            bool[] marks = Marks(some.Count);
            for (int at = 0; at < some.Count; at++) some[at].IsWritten = marks[at];
        }
        for (int number = 0; number < fields.Count; number++)
        {
            if (table[number] == null || fields[number].Turn < 0) continue;
            int field = number;
            List<int> some = Enumerable.Range(0, kept.Count).Where(at => kept[at].IsWritten && HasBases(Base(set, kept[at])[field], Before(set, kept[at])[field])).ToList();
            bool[] marks = Marks(some.Count);
            for (int at = 0; at < some.Count; at++) if (marks[at]) table[number].Charts.Add(some[at]);
        }
        Entries(set, fields, table, kept);
        _bits.Up();
    }

    private List<int> Base(Part set, Kept kept)
    {
        return PlacesOf(set, _base, kept.From);
    }

    private List<int> Before(Part set, Kept kept)
    {
        return kept.Older < 0 ? Enumerable.Repeat(-1, FieldsOf(set).Count).ToList() : PlacesOf(set, _older, kept.Older);
    }

    private void Entries(Part set, List<Field> fields, Own[] table, List<Kept> kept)
    {
        List<object> codes = _codes;
        var found = new SortedDictionary<ulong, List<object>>();
        bool isMap = set.Kind == "keyed_map";
        for (int number = 0; number < kept.Count; number++)
        {
            _codes = new List<object>();
            if (isMap) _codes.Add(kept[number].Key);
            if (kept[number].IsWritten) Written(set, fields, table, kept[number], number);
            else Unwritten(set, fields, table, kept[number]);
            found.Add(kept[number].Key, _codes);
        }
        foreach (ulong key in Added(set))
        {
            _codes = new List<object>();
            _codec.ReadEntry(set, key, _bits, _codes);
            if (found.ContainsKey(key)) throw new PackException("DUPLICATE_KEY");
            found.Add(key, _codes);
        }
        _codes = codes;
        _codes.Add(set.Count.Check((ulong)found.Count));
        foreach (List<object> row in found.Values) _codes.AddRange(row);
    }

    private void Unwritten(Part set, List<Field> fields, Own[] table, Kept kept)
    {
        int start = _codes.Count;
        Keep(kept.From, _codec.Skip(set.Kind == "keyed_map" ? set.Items[1] : set.Items[0], _base, kept.From));
        if (!kept.IsMoving || kept.Older < 0) return;
        List<int> places = Base(set, kept), older = Before(set, kept);
        for (int number = 0; number < fields.Count; number++)
        {
            Own own = table[number];
            if (own == null || !HasBases(places[number], older[number])) continue;
            ulong[] codes = Likely(fields[number], places[number], older[number], unit => own.Two[unit]);
            for (int at = 0; at < codes.Length; at++) _codes[start + places[number] - kept.From + at] = codes[at];
        }
    }

    private void Written(Part set, List<Field> fields, Own[] table, Kept kept, int entry)
    {
        if (_older != null && kept.Older < 0)
        {
            if (set.Kind == "keyed_map") Value(set.Items[1], kept.From);
            else Dict(_codec.At(set.Items[0]), kept.From, kept.Key);
            return;
        }
        List<int> places = Base(set, kept), older = Before(set, kept);
        var isThere = new bool[fields.Count];
        var isTold = new bool[fields.Count];
        for (int number = 0; number < fields.Count; number++)
        {
            isThere[number] = !fields[number].Optional || _bits.Bit();
            if (!isThere[number] || places[number] < 0 || fields[number].IsStill || _codec.At(fields[number].Part).Codes == 0) continue;
            Own own = HasBases(places[number], older[number]) ? table[number] : null;
            isTold[number] = (own != null && (own.IsDense || own.Charts.Contains(entry))) || _bits.Bit();
        }
        int next = 0;
        Action<int> field = number =>
        {
            int at = places[number];
            Own own = HasBases(at, older[number]) ? table[number] : null;
            if (at < 0) _codec.Read(fields[number].Part, _bits, _codes);
            else if (own != null) Numbers(fields[number], own, at, older[number], isTold[number], own.Charts.Contains(entry));
            else if (isTold[number]) Value(fields[number].Part, at);
            else Keep(at, _codec.Skip(fields[number].Part, _base, at));
        };
        if (set.Kind == "keyed") Assemble(_codec.At(set.Items[0]), kept.Key, isThere, ref next, field, 1);
        else if (IsDict(Resolved(set.Items[1]))) Assemble(Resolved(set.Items[1]), null, isThere, ref next, field, 1);
        else field(0);
    }

    /// <summary>Reads an entry field by field.</summary>
    private void Assemble(Part dict, ulong? entry, bool[] isThere, ref int next, Action<int> field, int level)
    {
        int first = _codes.Count;
        for (int flag = 0; flag < dict.Optional; flag++) _codes.Add(0UL);
        for (int number = 0; number < dict.Keys.Length; number++)
        {
            Key key = dict.Keys[number];
            Part inner = Resolved(key.Part);
            if (entry != null && number == 0) _codes.Add(entry.Value);
            else if (!key.Optional && IsDict(inner) && level < MostLevels) Assemble(inner, null, isThere, ref next, field, level + 1);
            else
            {
                if (key.Optional) _codes[first++] = isThere[next] ? 1UL : 0UL;
                if (isThere[next]) field(next);
                next++;
            }
        }
    }

    private void Numbers(Field field, Own own, int at, int older, bool isTold, bool isOther)
    {
        ulong[] codes = Likely(field, at, older, unit => own.Two[unit]);
        if (isTold)
        {
            if (isOther)
            {
                double[] turned = Turned(field, at, own.Two[field.Turn] ? older : -1);
                codes[field.Turn] = _bits.Take(2);
                Turns.Without(turned, (int)codes[field.Turn], field.Bits).CopyTo(codes, field.Turn + 1);
            }
            ulong less = !own.IsDense && own.Codes.Count == 1 ? 1UL : 0UL;
            for (int number = 0; number < own.Codes.Count; number++)
            {
                Form form = number < field.Lanes.Length ? field.Lanes[number] : null;
                int width = form == null ? field.Bits : form.Kind == "steps" ? StepsWidth : form.CodeWidth;
                int code = form == null ? number + 1 : number;
                codes[code] = Restored(form, field.Bits, codes[code], Distance(own.Codes[number], width) + less);
            }
        }
        foreach (ulong code in codes) _codes.Add(code);
    }
}
