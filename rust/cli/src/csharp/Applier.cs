/// <summary>Makes a new row of a row and of what changed.</summary>
internal sealed partial class Applier
{
    private readonly Codec _codec;
    private readonly List<object> _base;
    private readonly BitReader _bits;
    private List<object> _codes;

    internal Applier(Codec codec, List<object> from, BitReader bits, List<object> codes)
    {
        _codec = codec;
        _base = from;
        _bits = bits;
        _codes = codes;
    }

    private static ulong Relative(ulong from, int width, BitReader bits)
    {
        if (width <= 4) return bits.Take(width);
        decimal before = 0;
        foreach (int reach in new[] { (width * 3 + 7) / 8, (width + 1) / 2, (width * 3 + 3) / 4 })
        {
            if (!bits.Bit())
            {
                decimal distance = before + bits.Take(reach);
                if (distance > ulong.MaxValue) throw new PackException("OUT_OF_RANGE");
                decimal code = from + (decimal)Form.Unzigzag((ulong)distance);
                return code < 0 || code > ulong.MaxValue ? throw new PackException("OUT_OF_RANGE") : (ulong)code;
            }
            before += 1UL << reach;
        }
        return bits.Take(width);
    }

    private void Keep(int from, int end)
    {
        _codes.AddRange(_base.GetRange(from, end - from));
    }

    private void Value(int at, int from)
    {
        Part part = _codec.At(at);
        _bits.Value();
        if (part.Nullable)
        {
            _codes.Add(_bits.Take(1));
            if ((ulong)_codes[_codes.Count - 1] == 0) return;
            if ((ulong)_base[from++] == 0)
            {
                _codec.ReadInside(part, _bits, _codes);
                return;
            }
        }
        _bits.Down();
        Wire(part, from);
        _bits.Up();
    }

    private void Wire(Part part, int from)
    {
        switch (part.Kind)
        {
            case "same":
                _bits.Stay();
                Value(part.Other, from);
                _bits.Stayed();
                return;
            case "int":
            case "float":
                if (part.Form.Kind != "span" && part.Form.Kind != "grid") _codec.ReadWire(part, _bits, _codes);
                else _codes.Add(part.Form.Check(Relative((ulong)_base[from], part.Form.CodeWidth, _bits)));
                return;
            case "solid":
                Numbers(part.Solid, from);
                return;
            case "dict":
                Dict(part, from, null);
                return;
            case "cases":
            case "union":
                ulong code = _bits.Take(part.Width);
                if (code >= (ulong)part.Items.Length) throw new PackException(part.Kind == "cases" ? "NOT_IN_ENUM" : "NO_ALTERNATIVE");
                _codes.Add(code);
                _bits.Stay();
                if (code == (ulong)_base[from]) Maybe(part.Items[code], from + 1);
                else _codec.Read(part.Items[code], _bits, _codes);
                _bits.Stayed();
                return;
            case "tuple":
                Tuple(part, from);
                return;
            case "array":
            case "map":
            case "packed":
                Rows(part, from);
                return;
            case "keyed":
            case "keyed_map":
                Set(part, from);
                return;
            default:
                _codec.ReadWire(part, _bits, _codes);
                return;
        }
    }

    private void Numbers(Solid solid, int from)
    {
        if (solid.Kind == "direction" || solid.Kind == "flat")
        {
            solid.Read(_bits, _codes);
            return;
        }
        bool isSame = true;
        for (int at = 0; at < solid.Codes; at++)
        {
            bool isKept = false;
            if (at == solid.Turn) isKept = isSame = _bits.Bit();
            else if (at < solid.Turn && solid.Codes > 1) isKept = !_bits.Bit();
            if (isKept)
            {
                _codes.Add(_base[from + at]);
                continue;
            }
            Form form = solid.FormAt(at);
            bool isRelative = form == null ? at != solid.Turn : form.Kind == "span" || form.Kind == "grid";
            int width = form == null ? solid.BitsAt(at) : form.CodeWidth;
            bool isNear = isRelative && (at < solid.Turn || isSame);
            object code = isNear ? Relative((ulong)_base[from + at], width, _bits) : solid.ReadOne(at, _bits);
            if (form != null) form.Check(code);
            else if (width < 64 && (ulong)code >> width != 0) throw new PackException("OUT_OF_RANGE");
            _codes.Add(code);
        }
    }

    /// <summary>A bit, and what changed or stays.</summary>
    private void Maybe(int at, int from)
    {
        if (_codec.At(at).Codes == 0) return;
        if (_bits.Bit()) Value(at, from);
        else Keep(from, _codec.Skip(at, _base, from));
    }

    private ulong Count(Counts bounds, ulong was)
    {
        ulong count = _bits.Bit() ? bounds.Read(_bits) : was;
        _codes.Add(count);
        return count;
    }

    private void Tuple(Part part, int from)
    {
        ulong was = (ulong)_base[from];
        ulong count = Count(part.Counted, was);
        int at = from + 1;
        for (int number = 0; number < (int)count; number++)
        {
            int item = part.Items[number];
            if ((ulong)number >= was)
            {
                _codec.Read(item, _bits, _codes);
                continue;
            }
            Maybe(item, at);
            at = _codec.Skip(item, _base, at);
        }
    }

    private void Rows(Part part, int from)
    {
        ulong was = (ulong)_base[from];
        ulong count = Count(part.Count, was);
        if (count > was)
        {
            _bits.Elements(count - was);
            _bits.Room(count - was, _codec.LeastBits(part));
        }
        ulong common = Math.Min(was, count);
        var changed = new HashSet<ulong>(Codec.ReadMask(common, _bits));
        int at = from + 1;
        for (int number = 0; number < (int)common; number++)
        {
            bool hasChanged = changed.Contains((ulong)number);
            if (part.Kind == "packed")
            {
                if (hasChanged) Numbers(part.Solid, at);
                else Keep(at, at + part.Solid.Codes);
                at += part.Solid.Codes;
                continue;
            }
            foreach (int item in part.Of(number))
            {
                int end = _codec.Skip(item, _base, at);
                if (!hasChanged) Keep(at, end);
                else if (part.Kind == "map") Maybe(item, at);
                else Value(item, at);
                at = end;
            }
        }
        for (int number = (int)common; number < (int)count; number++) _codec.ReadItem(part, number, _bits, _codes);
    }

    private void Dict(Part part, int from, ulong? entry)
    {
        Dict(part, from, entry, (number, start) => Value(part.Keys[number].Part, start));
    }

    /// <summary>Reads a dict, its parts that are others by <c>changed</c>: the number of the key, where it was.</summary>
    private void Dict(Part part, int from, ulong? entry, Action<int, int> changed)
    {
        int flags = from;
        int at = from + part.Optional;
        var due = new List<Action>();
        for (int number = 0; number < part.Keys.Length; number++)
        {
            Key key = part.Keys[number];
            int each = number;
            bool was = true, isThere = true;
            if (key.Optional)
            {
                was = (ulong)_base[flags++] == 1;
                isThere = _bits.Bit();
                _codes.Add(isThere ? 1UL : 0UL);
            }
            bool isKnown = entry != null && number == 0;
            bool hasChanged = isThere && was && !isKnown && _codec.At(key.Part).Codes != 0 && _bits.Bit();
            int start = at;
            int end = was ? _codec.Skip(key.Part, _base, at) : at;
            at = end;
            if (!isThere) continue;
            if (isKnown) due.Add(() => _codes.Add(entry.Value));
            else if (!was) due.Add(() => _codec.Read(key.Part, _bits, _codes));
            else if (hasChanged) due.Add(() => changed(each, start));
            else due.Add(() => Keep(start, end));
        }
        due.ForEach(run => run());
    }

    private void Set(Part part, int from)
    {
        List<KeyValuePair<ulong, int>> entries = _codec.Entries(part, _base, from);
        var marked = new HashSet<ulong>(Codec.ReadMask((ulong)entries.Count, _bits));
        List<object> codes = _codes;
        var found = new SortedDictionary<ulong, List<object>>();
        for (int number = 0; number < entries.Count; number++)
        {
            bool isMarked = marked.Contains((ulong)number);
            if (isMarked && _bits.Bit()) continue;
            int at = entries[number].Value;
            _codes = new List<object>();
            bool isMap = part.Kind == "keyed_map";
            int item = isMap ? part.Items[1] : part.Items[0];
            if (isMap) _codes.Add(entries[number].Key);
            if (!isMarked) Keep(at, _codec.Skip(item, _base, at));
            else if (isMap) Value(item, at);
            else Dict(_codec.At(item), at, entries[number].Key);
            found.Add(entries[number].Key, _codes);
        }
        foreach (ulong key in Added(part))
        {
            _codes = new List<object>();
            _codec.ReadEntry(part, key, _bits, _codes);
            if (found.ContainsKey(key)) throw new PackException("DUPLICATE_KEY");
            found.Add(key, _codes);
        }
        _codes = codes;
        _codes.Add(part.Count.Check((ulong)found.Count));
        foreach (List<object> row in found.Values) _codes.AddRange(row);
    }

    private List<ulong> Added(Part part)
    {
        ulong count = _bits.Varint("OUT_OF_RANGE");
        _bits.Elements(count);
        _bits.Needs(count, 6);
        var keys = new List<ulong>();
        ulong next = 0;
        for (ulong at = 0; at < count; at++)
        {
            ulong gap = _bits.Varint("OUT_OF_RANGE");
            if (gap > part.Last || next + gap > part.Last) throw new PackException("OUT_OF_RANGE");
            keys.Add(next + gap);
            next += gap + 1;
        }
        return keys;
    }
}

/// <summary>Turns typed lists into plain ones and back.</summary>
internal static class Raw
{
    internal static object Items<T>(List<T> items, Func<T, object> each)
    {
        return items == null ? null : items.Select(each).ToList();
    }

    internal static List<T> List<T>(object raw, Func<object, T> each)
    {
        return raw == null ? null : ((List<object>)raw).Select(each).ToList();
    }

    internal static object Under(object raw, string key)
    {
        return ((Dictionary<string, object>)raw).TryGetValue(key, out object value) ? value : null;
    }

    /// <summary>Adds an optional key where it has a value.</summary>
    internal static void Add(Dictionary<string, object> raw, string key, object value)
    {
        if (value != null) raw.Add(key, value);
    }
}
