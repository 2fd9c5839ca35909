/// <summary>Packs and unpacks by parts. A value becomes one row of codes, and bits are written of the row.</summary>
internal sealed partial class Codec
{
    private readonly string _name;
    private readonly Part[] _parts;
    private readonly int _root;

    internal Codec(string name, int root, params Part[] parts)
    {
        _name = name;
        _parts = parts;
        _root = root;
        // Children of fixed rows make parents of fixed rows; those that refer to themselves never are.
        for (int round = 0; round < 64; round++)
        {
            foreach (Part part in parts) part.Codes = FixedCodes(part);
        }
    }

    internal Part At(int at)
    {
        return _parts[at];
    }

    internal byte[] Pack(object value)
    {
        return Named(() =>
        {
            var codes = new List<object>();
            Take(_root, value, codes, 0);
            // The receiver refuses what comes back as something else, such as a union's other alternative.
            int at = 0;
            Make(_root, codes, ref at);
            return Bytes(codes);
        });
    }

    internal object Unpack(byte[] packed)
    {
        return Named(() =>
        {
            int at = 0;
            return Make(_root, Row(packed), ref at);
        });
    }

    internal byte[] Apply(byte[] packed, byte[] delta)
    {
        return Apply(packed, null, 1, 1, delta);
    }

    internal byte[] Apply(byte[] newer, byte[] older, int ahead, int gap, byte[] delta)
    {
        return Named(() =>
        {
            if (Math.Min(ahead, gap) < 1 || Math.Max(ahead, gap) > ushort.MaxValue) throw new PackException("OUT_OF_RANGE");
            var bits = new BitReader(delta, newer);
            var codes = new List<object>();
            new Applier(this, Row(newer), bits, codes).After(older == null ? null : Row(older), ahead, gap).Root(_root);
            bits.End();
            int at = 0;
            Make(_root, codes, ref at);
            return Bytes(codes);
        });
    }

    private T Named<T>(Func<T> run)
    {
        return PackException.Below(_name, run);
    }

    private List<object> Row(byte[] packed)
    {
        var bits = new BitReader(packed);
        var codes = new List<object>();
        Read(_root, bits, codes);
        bits.End();
        return codes;
    }

    private byte[] Bytes(List<object> codes)
    {
        var bits = new BitWriter();
        Write(_root, codes, 0, bits);
        return bits.Finish();
    }

    private static PackException Refuse(string kind)
    {
        return new PackException(kind);
    }

    private int? FixedCodes(Part part)
    {
        if (part.Nullable) return null;
        switch (part.Kind)
        {
            case "only":
                return 0;
            case "solid":
                return part.Solid.Codes;
            case "same":
                return _parts[part.Other].Codes;
            case "dict":
                if (part.Optional > 0 || part.Keys.Any(key => _parts[key.Part].Codes == null)) return null;
                return part.Keys.Sum(key => _parts[key.Part].Codes.Value);
            case "bool":
            case "int":
            case "float":
            case "text":
            case "path":
            case "enum":
            case "any":
                return 1;
            default:
                return null;
        }
    }

    internal static bool Alike(object a, object b)
    {
        if (a is List<object> && b is List<object>)
        {
            var (one, two) = ((List<object>)a, (List<object>)b);
            return one.Count == two.Count && one.Zip(two, Alike).All(alike => alike);
        }
        if (a is double[] && b is double[]) return ((double[])a).SequenceEqual((double[])b);
        if (a is long[] && b is long[]) return ((long[])a).SequenceEqual((long[])b);
        if (a is Dictionary<string, object> && b is Dictionary<string, object>)
        {
            var (one, two) = ((Dictionary<string, object>)a, (Dictionary<string, object>)b);
            return one.Count == two.Count && one.All(pair => two.TryGetValue(pair.Key, out object other) && Alike(pair.Value, other));
        }
        return Equals(a, b);
    }

    private static bool SameRow(List<object> a, List<object> b)
    {
        return a.Count == b.Count && a.Zip(b, SameCode).All(same => same);
    }

    private static bool SameCode(object a, object b)
    {
        if (a is double && b is double) return Form.IsSame((double)a, (double)b);
        if (a is byte[] && b is byte[]) return ((byte[])a).SequenceEqual((byte[])b);
        return Equals(a, b);
    }

    // A value as a row of codes.

    private List<object> RowOf(int at, object value, int level)
    {
        var codes = new List<object>();
        Take(at, value, codes, level);
        return codes;
    }

    private void Take(int at, object value, List<object> codes, int level)
    {
        Part part = _parts[at];
        if (level > Limits.Levels) throw Refuse("TOO_DEEP");
        if (part.Nullable)
        {
            codes.Add(value == null ? 0UL : 1UL);
            if (value == null) return;
        }
        switch (part.Kind)
        {
            case "only":
                if (!Alike(value, part.Value)) throw Refuse("NOT_IN_ENUM");
                return;
            case "same":
                Take(part.Other, value, codes, level);
                return;
            case "bool":
                codes.Add(value is bool ? ((bool)value ? 1UL : 0UL) : throw Refuse("WRONG_TYPE"));
                return;
            case "int":
            case "float":
                codes.Add(part.Form.CodeOf(value));
                return;
            case "solid":
                part.Solid.Of(value, codes);
                return;
            case "text":
                codes.Add(part.Chars.Of(value));
                return;
            case "path":
                codes.Add(PathCode(value as PathParts ?? throw Refuse("WRONG_TYPE")));
                return;
            case "any":
                codes.Add(value as byte[] ?? throw Refuse("WRONG_TYPE"));
                return;
            case "enum":
                codes.Add(Listed(part, value));
                return;
            case "dict":
                TakeDict(part, value, codes, level, null);
                return;
            case "cases":
                var keys = value as Dictionary<string, object> ?? throw Refuse("WRONG_TYPE");
                ulong told = Listed(part, keys.TryGetValue(part.Tag, out object tag) ? tag : null);
                codes.Add(told);
                TakeDict(_parts[part.Items[told]], value, codes, level, part.Tag);
                return;
            case "union":
                int chosen = Choose(part, value);
                if (chosen < 0) throw Refuse("NO_ALTERNATIVE");
                codes.Add((ulong)chosen);
                Take(part.Items[chosen], value, codes, level);
                return;
            default:
                TakeList(part, value as List<object> ?? throw Refuse("WRONG_TYPE"), codes, level);
                return;
        }
    }

    private static ulong Listed(Part part, object value)
    {
        int found = Array.FindIndex(part.Values, each => Alike(each, value));
        return found < 0 ? throw Refuse("NOT_IN_ENUM") : (ulong)found;
    }

    private static string PathCode(PathParts path)
    {
        foreach (string name in path.Names.Concat(path.Subnames)) Chars.Checked(name);
        string head = (path.Absolute ? "1" : "0") + "\0" + path.Names.Length;
        return string.Join("\0", new[] { head }.Concat(path.Names).Concat(path.Subnames));
    }

    private static PathParts PathOf(string code)
    {
        string[] pieces = code.Split('\0');
        int names = int.Parse(pieces[1]);
        return new PathParts
        {
            Absolute = pieces[0] == "1",
            Names = pieces.Skip(2).Take(names).ToArray(),
            Subnames = pieces.Skip(2 + names).ToArray(),
        };
    }

    private void TakeList(Part part, List<object> value, List<object> codes, int level)
    {
        part.Counted.Check((ulong)value.Count);
        var rows = new List<List<object>>();
        for (int at = 0; at < value.Count; at++)
        {
            int number = at;
            rows.Add(PackException.Below("[" + at + "]", () => Item(part, number, value[number], level + 1)));
        }
        if (part.Kind == "tuple")
        {
            // Those at the end that would be filled in are left out.
            while (rows.Count > part.Fewest && IsDefault(rows[rows.Count - 1], part, rows.Count - 1)) rows.RemoveAt(rows.Count - 1);
        }
        if (part.Kind == "keyed" || part.Kind == "keyed_map")
        {
            int key = part.Kind == "keyed" ? _parts[part.Items[0]].Optional : 0;
            rows = rows.OrderBy(row => (ulong)row[key]).ToList();
            if (rows.Zip(rows.Skip(1), (a, b) => Equals(a[key], b[key])).Any(twice => twice)) throw Refuse("DUPLICATE_KEY");
        }
        codes.Add((ulong)rows.Count);
        rows.ForEach(codes.AddRange);
    }

    private List<object> Item(Part part, int number, object value, int level)
    {
        var codes = new List<object>();
        if (part.Kind == "strings") codes.Add(part.Chars.Of(value));
        else if (part.Kind == "packed") part.Solid.Of(value, codes);
        else if (part.Kind == "map" || part.Kind == "keyed_map")
        {
            var entry = (KeyValuePair<object, object>)value;
            Take(part.Items[0], entry.Key, codes, level);
            Take(part.Items[1], entry.Value, codes, level);
        }
        else Take(part.Of(number).First(), value, codes, level);
        return codes;
    }

    private bool IsDefault(List<object> row, Part part, int at)
    {
        int of = part.Kind == "tuple" ? part.Items[at] : part.Keys[at].Part;
        Func<object> made = part.Kind == "tuple" ? part.Defaults.ElementAtOrDefault(at - part.Fewest) : part.Keys[at].Default;
        return made != null && SameRow(row, RowOf(of, made(), 0));
    }

    private void TakeDict(Part part, object value, List<object> codes, int level, string tag)
    {
        var keys = value as Dictionary<string, object> ?? throw Refuse("WRONG_TYPE");
        string unknown = keys.Keys.FirstOrDefault(name => name != tag && part.Keys.All(key => key.Name != name));
        if (unknown != null) throw new PackException("UNKNOWN_KEY", unknown);
        var rows = new List<List<object>>();
        for (int at = 0; at < part.Keys.Length; at++)
        {
            Key key = part.Keys[at];
            if (!keys.TryGetValue(key.Name, out object under))
            {
                if (!key.Optional) throw new PackException("MISSING_KEY", key.Name);
                rows.Add(null);
                continue;
            }
            List<object> row = PackException.Below(key.Name, () => RowOf(key.Part, under, level + 1));
            rows.Add(key.Optional && IsDefault(row, part, at) ? null : row);
        }
        for (int at = 0; at < part.Keys.Length; at++)
        {
            if (part.Keys[at].Optional) codes.Add(rows[at] == null ? 0UL : 1UL);
        }
        foreach (List<object> row in rows.Where(row => row != null)) codes.AddRange(row);
    }

    /// <summary>The first alternative that takes a value. It looks at leaves, and of a Dictionary at the key that tells it.</summary>
    private int Choose(Part part, object value)
    {
        return Array.FindIndex(part.Items, at => Takes(at, value, part.Tag, 0));
    }

    private bool Takes(int at, object value, string tell, int level)
    {
        Part part = _parts[at];
        if (part.Nullable && value == null) return true;
        if (level > Limits.Levels) return false;
        var keys = value as Dictionary<string, object>;
        switch (part.Kind)
        {
            case "same":
                return Takes(part.Other, value, tell, level + 1);
            case "union":
                return part.Items.Any(each => Takes(each, value, tell, level + 1));
            case "dict":
                if (keys == null || tell == null) return keys != null;
                Key key = part.Keys.FirstOrDefault(each => each.Name == tell);
                return key != null && keys.TryGetValue(tell, out object told) && Takes(key.Part, told, null, level + 1);
            case "cases":
                return keys != null && keys.TryGetValue(part.Tag, out object tag) && part.Values.Any(each => Alike(each, tag));
            case "tuple":
                if (!(value is List<object>)) return false;
                var items = (List<object>)value;
                string first = part.Items.Length > 0 ? _parts[part.Items[0]].Kind : "";
                if (first != "only" && first != "enum") return true;
                return items.Count > 0 ? Takes(part.Items[0], items[0], null, level + 1) : part.Fewest == 0;
            case "array":
            case "keyed":
            case "map":
            case "keyed_map":
                return value is List<object>;
            default:
                try
                {
                    Take(at, value, new List<object>(), level);
                    return true;
                }
                catch (PackException)
                {
                    return false;
                }
        }
    }

    /// <summary>Where the row of a part ends that begins at <c>from</c>.</summary>
    internal int Skip(int at, List<object> codes, int from)
    {
        Part part = _parts[at];
        if (part.Codes != null) return from + part.Codes.Value;
        if (part.Nullable && (ulong)codes[from++] == 0) return from;
        switch (part.Kind)
        {
            case "only":
                return from;
            case "same":
                return Skip(part.Other, codes, from);
            case "solid":
                return from + part.Solid.Codes;
            case "dict":
                int end = from + part.Optional;
                foreach (Key key in part.Keys)
                {
                    if (!key.Optional || (ulong)codes[from++] == 1) end = Skip(key.Part, codes, end);
                }
                return end;
            case "cases":
            case "union":
                return Skip(part.Items[(ulong)codes[from]], codes, from + 1);
            case "bool":
            case "int":
            case "float":
            case "text":
            case "path":
            case "enum":
            case "any":
                return from + 1;
        }
        int count = (int)(ulong)codes[from];
        if (part.Kind == "strings") return from + 1 + count;
        if (part.Kind == "packed") return from + 1 + count * part.Solid.Codes;
        int next = from + 1;
        for (int number = 0; number < count; number++)
        {
            foreach (int item in part.Of(number)) next = Skip(item, codes, next);
        }
        return next;
    }
}
