/// <summary>Rows as bits and back, and values of rows.</summary>
internal sealed partial class Codec
{
    private static ulong[] Gaps(List<ulong> places)
    {
        return places.Select((place, at) => place - (at == 0 ? 0 : places[at - 1] + 1)).ToArray();
    }

    private static bool IsSparse(List<ulong> places, ulong all)
    {
        ulong sum = (ulong)BitWriter.VarintBits((ulong)places.Count);
        foreach (ulong gap in Gaps(places)) sum += (ulong)BitWriter.VarintBits(gap);
        return sum < all;
    }

    private static void WriteMask(List<ulong> places, ulong all, BitWriter bits)
    {
        bool isSparse = IsSparse(places, all);
        bits.Bit(isSparse);
        if (isSparse)
        {
            bits.Varint((ulong)places.Count);
            foreach (ulong gap in Gaps(places)) bits.Varint(gap);
            return;
        }
        var taken = new HashSet<ulong>(places);
        for (ulong place = 0; place < all; place++) bits.Bit(taken.Contains(place));
    }

    internal static List<ulong> ReadMask(ulong all, BitReader bits)
    {
        var places = new List<ulong>();
        bool isSparse = bits.Bit();
        if (isSparse)
        {
            ulong count = bits.Varint("WRONG_SIZE");
            bits.Elements(count);
            if (count > all) throw Refuse("WRONG_SIZE");
            bits.Needs(count, 6);
            for (ulong next = 0, at = 0; at < count; at++)
            {
                ulong gap = bits.Varint("OUT_OF_RANGE");
                if (gap >= all || next + gap >= all) throw Refuse("OUT_OF_RANGE");
                places.Add(next + gap);
                next += gap + 1;
            }
        }
        else
        {
            bits.Needs(all, 1);
            for (ulong place = 0; place < all; place++)
            {
                if (bits.Bit()) places.Add(place);
            }
            bits.Elements((ulong)places.Count);
        }
        return isSparse == IsSparse(places, all) ? places : throw Refuse("NOT_CANONICAL");
    }

    // A row as bits.

    private int Write(int at, List<object> codes, int from, BitWriter bits)
    {
        Part part = _parts[at];
        if (part.Nullable)
        {
            bits.Put((ulong)codes[from], 1);
            if ((ulong)codes[from++] == 0) return from;
        }
        switch (part.Kind)
        {
            case "only":
                return from;
            case "same":
                return Write(part.Other, codes, from, bits);
            case "bool":
                bits.Put((ulong)codes[from], 1);
                return from + 1;
            case "int":
            case "float":
                part.Form.Write(codes[from], bits);
                return from + 1;
            case "solid":
                part.Solid.Write(codes, from, bits);
                return from + part.Solid.Codes;
            case "text":
                part.Chars.Write((string)codes[from], bits);
                return from + 1;
            case "path":
                WritePath(PathOf((string)codes[from]), bits);
                return from + 1;
            case "any":
                WriteBytes((byte[])codes[from], bits);
                return from + 1;
            case "enum":
                bits.Put((ulong)codes[from], part.Width);
                return from + 1;
            case "dict":
                return WriteDict(part, codes, from, bits, false);
            case "cases":
            case "union":
                bits.Put((ulong)codes[from], part.Width);
                return Write(part.Items[(ulong)codes[from]], codes, from + 1, bits);
            default:
                return WriteList(at, codes, from, bits);
        }
    }

    private static void WriteBytes(byte[] bytes, BitWriter bits)
    {
        Counts.Any.Write((ulong)bytes.Length, bits);
        foreach (byte each in bytes) bits.Put(each, 8);
    }

    private static void WritePath(PathParts path, BitWriter bits)
    {
        bits.Bit(path.Absolute);
        bits.Varint((ulong)path.Names.Length);
        bits.Varint((ulong)path.Subnames.Length);
        foreach (string name in path.Names.Concat(path.Subnames)) WriteBytes(Chars.Bytes(name), bits);
    }

    private int WriteList(int at, List<object> codes, int from, BitWriter bits)
    {
        Part part = _parts[at];
        if (part.Kind == "keyed")
        {
            var entries = Entries(part, codes, from);
            WriteMask(entries.Select(entry => entry.Key).ToList(), part.Last + 1, bits);
            foreach (var entry in entries) WriteDict(_parts[part.Items[0]], codes, entry.Value, bits, true);
            int skipped = from;
            return Skip(at, codes, part.Nullable ? skipped - 1 : skipped);
        }
        if (part.Kind == "keyed_map")
        {
            var entries = Entries(part, codes, from);
            WriteMask(entries.Select(entry => entry.Key).ToList(), part.Last + 1, bits);
            foreach (var entry in entries) Write(part.Items[1], codes, entry.Value, bits);
            return Skip(at, codes, part.Nullable ? from - 1 : from);
        }
        int count = (int)(ulong)codes[from++];
        part.Counted.Write((ulong)count, bits);
        if (part.Kind != "tuple") bits.Charge((ulong)count, LeastBits(part));
        for (int number = 0; number < count; number++)
        {
            if (part.Kind == "strings") part.Chars.Write((string)codes[from++], bits);
            else if (part.Kind == "packed")
            {
                part.Solid.Write(codes, from, bits);
                from += part.Solid.Codes;
            }
            else
            {
                foreach (int item in part.Of(number)) from = Write(item, codes, from, bits);
            }
        }
        return from;
    }

    private int WriteDict(Part part, List<object> codes, int from, BitWriter bits, bool isEntry)
    {
        int at = from + part.Optional;
        int grown = part.Grown ?? 0;
        for (int flag = from; flag < at - grown; flag++) bits.Put((ulong)codes[flag], 1);
        for (int number = 0; number < part.Fixed; number++)
        {
            if (part.Keys[number].Optional && (ulong)codes[from++] == 0) continue;
            at = isEntry && number == 0 ? at + 1 : Write(part.Keys[number].Part, codes, at, bits);
        }
        return part.Grown == null ? at : WriteGrown(part, codes, from, at, bits);
    }

    /// <summary>The keys by which a dict has grown, up to the last that is there, behind how many bits they are.</summary>
    private int WriteGrown(Part part, List<object> codes, int flags, int at, BitWriter bits)
    {
        int count = part.Grown ?? 0;
        while (count > 0 && (ulong)codes[flags + count - 1] == 0) count--;
        var tail = new BitWriter();
        for (int number = 0; number < count; number++)
        {
            ulong flag = (ulong)codes[flags + number];
            tail.Put(flag, 1);
            if (flag == 1) at = Write(part.Keys[part.Fixed + number].Part, codes, at, tail);
        }
        long left = tail.Length;
        bits.Varint((ulong)left);
        var reader = new BitReader(tail.Part(bits));
        for (; left > 0; left -= 16) bits.Put(reader.Take((int)Math.Min(left, 16)), (int)Math.Min(left, 16));
        return at;
    }

    /// <summary>The keys of a set's entries, and where each begins; of a map, where its value does.</summary>
    internal List<KeyValuePair<ulong, int>> Entries(Part part, List<object> codes, int from)
    {
        var found = new List<KeyValuePair<ulong, int>>();
        bool isMap = part.Kind == "keyed_map";
        int key = isMap ? 0 : _parts[part.Items[0]].Optional;
        int at = from + 1;
        for (ulong number = 0; number < (ulong)codes[from]; number++)
        {
            found.Add(new KeyValuePair<ulong, int>((ulong)codes[at + key], isMap ? at + 1 : at));
            at = isMap ? Skip(part.Items[1], codes, at + 1) : Skip(part.Items[0], codes, at);
        }
        return found;
    }

    // Bits as a row.

    internal void Read(int at, BitReader bits, List<object> codes)
    {
        Part part = _parts[at];
        bits.Value();
        if (part.Nullable)
        {
            codes.Add(bits.Take(1));
            if ((ulong)codes[codes.Count - 1] == 0) return;
        }
        ReadInside(part, bits, codes);
    }

    internal void ReadInside(Part part, BitReader bits, List<object> codes)
    {
        bits.Down();
        ReadWire(part, bits, codes);
        bits.Up();
    }

    /// <summary>Reads what a reference leads to, or a union or case is: it is the same value.</summary>
    internal void ReadSame(int at, BitReader bits, List<object> codes)
    {
        bits.Stay();
        Read(at, bits, codes);
        bits.Stayed();
    }

    internal void ReadWire(Part part, BitReader bits, List<object> codes)
    {
        switch (part.Kind)
        {
            case "only":
                return;
            case "same":
                ReadSame(part.Other, bits, codes);
                return;
            case "bool":
                codes.Add(bits.Take(1));
                return;
            case "int":
            case "float":
                codes.Add(part.Form.Read(bits));
                return;
            case "solid":
                part.Solid.Read(bits, codes);
                return;
            case "text":
                codes.Add(part.Chars.Read(bits));
                return;
            case "path":
                codes.Add(ReadPath(bits));
                return;
            case "any":
                codes.Add(Chars.ReadBytes(Counts.Any.Read(bits), bits));
                return;
            case "enum":
                ulong code = bits.Take(part.Width);
                if (code >= (ulong)part.Values.Length) throw Refuse("NOT_IN_ENUM");
                codes.Add(Listed(part, part.Values[code]) == code ? code : throw Refuse("NOT_CANONICAL"));
                return;
            case "dict":
                ReadDict(part, bits, codes, null);
                return;
            case "cases":
            case "union":
                ulong chosen = bits.Take(part.Width);
                if (chosen >= (ulong)part.Items.Length) throw Refuse(part.Kind == "cases" ? "NOT_IN_ENUM" : "NO_ALTERNATIVE");
                codes.Add(chosen);
                ReadSame(part.Items[chosen], bits, codes);
                return;
            default:
                ReadList(part, bits, codes);
                return;
        }
    }

    private static string ReadPath(BitReader bits)
    {
        bool absolute = bits.Bit();
        ulong names = Counts.Any.Read(bits), subnames = Counts.Any.Read(bits);
        bits.Elements(names);
        bits.Elements(subnames);
        bits.Needs(names + subnames, 6);
        return PathCode(new PathParts
        {
            Absolute = absolute,
            Names = Enumerable.Range(0, (int)names).Select(_ => Chars.Any.Read(bits)).ToArray(),
            Subnames = Enumerable.Range(0, (int)subnames).Select(_ => Chars.Any.Read(bits)).ToArray(),
        });
    }

    private void ReadDict(Part part, BitReader bits, List<object> codes, ulong? entry)
    {
        int flags = codes.Count;
        int grown = part.Grown ?? 0;
        for (int at = 0; at < part.Optional - grown; at++) codes.Add(bits.Take(1));
        for (int at = 0; at < grown; at++) codes.Add(0UL);
        for (int number = 0; number < part.Fixed; number++)
        {
            Key key = part.Keys[number];
            if (key.Optional && (ulong)codes[flags++] == 0) continue;
            if (entry != null && number == 0)
            {
                bits.Value();
                codes.Add(entry.Value);
                continue;
            }
            PackException.Below(key.Name, () => { Read(key.Part, bits, codes); return true; });
        }
        if (part.Grown != null) ReadGrown(part, flags, bits, codes);
    }

    /// <summary>The keys by which a dict has grown. Those that are not known here are passed over.</summary>
    private void ReadGrown(Part part, int flags, BitReader bits, List<object> codes)
    {
        ulong count = Counts.Any.Read(bits);
        bits.Needs(count, 1);
        long end = bits.Left - (long)count;
        bool isThere = count == 0;
        for (int number = 0; number < part.Grown && bits.Left > end; number++)
        {
            Key key = part.Keys[part.Fixed + number];
            isThere = bits.Bit();
            codes[flags + number] = isThere ? 1UL : 0UL;
            if (isThere) PackException.Below(key.Name, () => { Read(key.Part, bits, codes); return true; });
        }
        if (bits.Left < end || (bits.Left == end && !isThere)) throw Refuse("NOT_CANONICAL");
        bits.Pass(bits.Left - end);
    }

    internal void ReadEntry(Part part, ulong key, BitReader bits, List<object> codes)
    {
        bits.Value();
        if (part.Kind == "keyed_map")
        {
            codes.Add(key);
            Read(part.Items[1], bits, codes);
        }
        else
        {
            bits.Down();
            ReadDict(_parts[part.Items[0]], bits, codes, key);
            bits.Up();
        }
    }

    private void ReadList(Part part, BitReader bits, List<object> codes)
    {
        if (part.Kind == "keyed" || part.Kind == "keyed_map")
        {
            List<ulong> places = ReadMask(part.Last + 1, bits);
            codes.Add(part.Count.Check((ulong)places.Count));
            foreach (ulong key in places) PackException.Below("[" + key + "]", () => { ReadEntry(part, key, bits, codes); return true; });
            return;
        }
        ulong count = part.Counted.Read(bits);
        codes.Add(count);
        if (part.Kind != "tuple")
        {
            bits.Elements(count);
            bits.Room(count, LeastBits(part));
        }
        for (int at = 0; at < (int)count; at++)
        {
            int number = at;
            PackException.Below("[" + at + "]", () => { ReadItem(part, number, bits, codes); return true; });
        }
    }

    internal void ReadItem(Part part, int number, BitReader bits, List<object> codes)
    {
        if (part.Kind == "strings") codes.Add(part.Chars.Read(bits));
        else if (part.Kind == "packed") part.Solid.Read(bits, codes);
        else
        {
            foreach (int item in part.Of(number)) Read(item, bits, codes);
        }
    }

    internal ulong LeastBits(Part part)
    {
        if (part.Kind == "packed") return part.Solid.LeastBits;
        if (part.Kind == "strings") return part.Chars.LeastBits;
        ulong least = 0;
        foreach (int item in part.Items) least += _parts[item].Least;
        return least;
    }

    // A row as a value. It refuses what packing does not make.

    private object Make(int at, List<object> codes, ref int from)
    {
        Part part = _parts[at];
        if (part.Nullable && (ulong)codes[from++] == 0) return null;
        object value = MakeWire(part, codes, ref from);
        if (part.Must != null && value != null) part.Must.Judge(value);
        return part.Nullable && value == null ? throw Refuse("NOT_CANONICAL") : value;
    }

    private object MakeWire(Part part, List<object> codes, ref int from)
    {
        switch (part.Kind)
        {
            case "only":
                return part.Value;
            case "same":
                return Make(part.Other, codes, ref from);
            case "bool":
                return (ulong)codes[from++] == 1;
            case "int":
            case "float":
                return part.Form.NumberOf(codes[from++]);
            case "solid":
                from += part.Solid.Codes;
                return part.Solid.Made(codes, from - part.Solid.Codes);
            case "text":
            case "any":
                return codes[from++];
            case "path":
                return PathOf((string)codes[from++]);
            case "enum":
                return part.Values[(ulong)codes[from++]];
            case "dict":
                return MakeDict(part, codes, ref from, new Dictionary<string, object>());
            case "cases":
                ulong told = (ulong)codes[from++];
                var tagged = new Dictionary<string, object> { { part.Tag, part.Values[told] } };
                return MakeDict(_parts[part.Items[told]], codes, ref from, tagged);
            case "union":
                ulong chosen = (ulong)codes[from++];
                object value = Make(part.Items[chosen], codes, ref from);
                return Choose(part, value) == (int)chosen ? value : throw Refuse("NOT_CANONICAL");
            default:
                return MakeList(part, codes, ref from);
        }
    }

    private object MakeDict(Part part, List<object> codes, ref int from, Dictionary<string, object> made)
    {
        var found = new bool[part.Keys.Length];
        var values = new object[part.Keys.Length];
        int flags = from;
        int at = from + part.Optional;
        for (int number = 0; number < part.Keys.Length; number++)
        {
            Key key = part.Keys[number];
            found[number] = true;
            if (key.Optional && (ulong)codes[flags++] == 0)
            {
                found[number] = key.Default != null;
                values[number] = key.Default == null ? null : key.Default();
                continue;
            }
            int start = at;
            values[number] = PackException.Below(key.Name, () => Make(key.Part, codes, ref at));
            if (key.Optional && IsDefault(codes.GetRange(start, at - start), part, number)) throw new PackException("NOT_CANONICAL", key.Name);
        }
        foreach (int number in part.Declared)
        {
            if (found[number]) made[part.Keys[number].Name] = values[number];
        }
        from = at;
        return made;
    }

    private object MakeList(Part part, List<object> codes, ref int from)
    {
        int count = (int)(ulong)codes[from];
        int at = from + 1;
        var items = new List<object>();
        var keys = new List<List<object>>();
        for (int each = 0; each < count; each++)
        {
            int number = each;
            int start = at;
            items.Add(PackException.Below("[" + each + "]", () => MakeItem(part, number, codes, ref at, keys)));
            bool isLast = part.Kind == "tuple" && number + 1 == count && number >= part.Fewest;
            if (isLast && IsDefault(codes.GetRange(start, at - start), part, number)) throw new PackException("NOT_CANONICAL", "[" + number + "]");
        }
        from = at;
        if (part.Kind == "tuple")
        {
            foreach (Func<object> made in part.Defaults.Skip(items.Count - part.Fewest)) items.Add(made());
        }
        return items;
    }

    private object MakeItem(Part part, int number, List<object> codes, ref int at, List<List<object>> keys)
    {
        if (part.Kind == "strings") return codes[at++];
        if (part.Kind == "packed")
        {
            at += part.Solid.Codes;
            return part.Solid.Made(codes, at - part.Solid.Codes);
        }
        if (part.Kind != "map" && part.Kind != "keyed_map") return Make(part.Of(number).First(), codes, ref at);
        int start = at;
        object key = Make(part.Items[0], codes, ref at);
        List<object> row = codes.GetRange(start, at - start);
        if (keys.Any(other => SameRow(other, row))) throw Refuse("DUPLICATE_KEY");
        keys.Add(row);
        return new KeyValuePair<object, object>(key, Make(part.Items[1], codes, ref at));
    }
}
