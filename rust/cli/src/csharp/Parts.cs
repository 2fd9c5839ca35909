/// <summary>The bounds of a count.</summary>
internal sealed class Counts
{
    internal ulong Min, Max = ulong.MaxValue;
    internal static readonly Counts Any = new Counts();

    private int Fixed => Max == ulong.MaxValue || Form.Width(Max - Min) > 6 ? -1 : Form.Width(Max - Min);

    internal ulong Least => Fixed < 0 ? 6 : (ulong)Fixed;

    internal ulong Check(ulong count)
    {
        return count < Min || count > Max ? throw new PackException("WRONG_SIZE") : count;
    }

    internal void Write(ulong count, BitWriter bits)
    {
        if (Fixed < 0) bits.Varint(count - Min);
        else bits.Put(count - Min, Fixed);
    }

    internal ulong Read(BitReader bits)
    {
        ulong above = Fixed < 0 ? bits.Varint("WRONG_SIZE") : bits.Take(Fixed);
        return above > ulong.MaxValue - Min ? throw new PackException("WRONG_SIZE") : Check(Min + above);
    }
}

/// <summary>How a text is packed.</summary>
internal sealed class Chars
{
    internal Counts Count;
    /// <summary>The characters, each as a text: some take two chars.</summary>
    internal string[] Alphabet;
    internal static readonly Chars Any = new Chars { Count = Counts.Any };
    private static readonly UTF8Encoding Utf8 = new UTF8Encoding(false, true);

    private int Each => Alphabet == null ? 8 : Form.Width((ulong)Alphabet.Length - 1);

    internal ulong LeastBits => Count.Least;

    internal static string Checked(string text)
    {
        if (text.IndexOf('\0') >= 0) throw new PackException("EMBEDDED_NUL");
        return text.Length > 0 && text[0] == '\uFEFF' ? throw new PackException("LEADING_BOM") : text;
    }

    private ulong[] Letters(string text)
    {
        if (Alphabet == null) return Bytes(text).Select(letter => (ulong)letter).ToArray();
        var letters = new List<ulong>();
        for (int at = 0; at < text.Length;)
        {
            int size = char.IsSurrogatePair(text, at) ? 2 : 1;
            int found = Array.IndexOf(Alphabet, text.Substring(at, size));
            if (found < 0) throw new PackException("PATTERN_MISMATCH");
            letters.Add((ulong)found);
            at += size;
        }
        return letters.ToArray();
    }

    internal static byte[] Bytes(string text)
    {
        try
        {
            return Utf8.GetBytes(text);
        }
        catch (EncoderFallbackException)
        {
            throw new PackException("INVALID_UTF8");
        }
    }

    internal static string Text(byte[] bytes)
    {
        try
        {
            return Checked(Utf8.GetString(bytes));
        }
        catch (DecoderFallbackException)
        {
            throw new PackException("INVALID_UTF8");
        }
    }

    internal object Of(object value)
    {
        if (!(value is string)) throw new PackException("WRONG_TYPE");
        Count.Check((ulong)Letters(Checked((string)value)).Length);
        return value;
    }

    internal void Write(string text, BitWriter bits)
    {
        ulong[] letters = Letters(text);
        Count.Write((ulong)letters.Length, bits);
        bits.Charge((ulong)letters.Length, (ulong)Each);
        foreach (ulong letter in letters) bits.Put(letter, Each);
    }

    internal static byte[] ReadBytes(ulong count, BitReader bits)
    {
        if (count > Limits.Bytes) throw new PackException("OUTPUT_TOO_LARGE");
        bits.Needs(count, 8);
        var bytes = new byte[count];
        for (ulong at = 0; at < count; at++) bytes[at] = (byte)bits.Take(8);
        return bytes;
    }

    internal string Read(BitReader bits)
    {
        ulong count = Count.Read(bits);
        if (count > Limits.Text) throw new PackException("STRING_TOO_LONG");
        if (Alphabet == null) return Text(ReadBytes(count, bits));
        bits.Room(count, (ulong)Each);
        var text = new StringBuilder();
        for (ulong at = 0; at < count; at++)
        {
            ulong letter = bits.Take(Each);
            if (letter >= (ulong)Alphabet.Length) throw new PackException("PATTERN_MISMATCH");
            text.Append(Alphabet[letter]);
        }
        return Checked(text.ToString());
    }
}

/// <summary>How a value of several numbers is packed.</summary>
internal sealed class Solid
{
    internal string Kind = "each";
    internal Form[] Forms;
    internal Form Origin;
    internal int Bits;
    internal int Size;

    internal int Codes => Kind == "each" ? Forms.Length : Kind == "rigid" ? 7 : Kind == "rotation" ? 4 : 2;

    /// <summary>Where the code stands that says which number of a rotation is the largest.</summary>
    internal int Turn => Kind == "rotation" ? 0 : Kind == "rigid" ? 3 : int.MaxValue;

    internal Form FormAt(int at)
    {
        return Kind == "each" ? Forms[at] : Kind == "rigid" && at < 3 ? Origin : null;
    }

    internal int BitsAt(int at)
    {
        return at == Turn ? 2 : Kind == "flat" && at == 1 ? 1 : Bits;
    }

    internal ulong LeastBits
    {
        get
        {
            ulong least = 0;
            for (int at = 0; at < Codes; at++)
            {
                Form form = FormAt(at);
                least += form == null ? (ulong)BitsAt(at) : form.IsVarint ? 6 : form.Kind == "free" ? 33 : (ulong)form.CodeWidth;
            }
            return least;
        }
    }

    internal void Of(object value, List<object> codes)
    {
        object[] numbers = Numbers(value);
        if (Kind == "each")
        {
            for (int at = 0; at < numbers.Length; at++) codes.Add(Forms[at].CodeOf(numbers[at]));
            return;
        }
        double[] reals = numbers.Select(number => number is double ? (double)number : throw new PackException("WRONG_TYPE")).ToArray();
        ulong[] made;
        if (Kind == "direction") made = Turns.OfDirection(reals, Bits);
        else if (Kind == "flat") made = Turns.OfFlat(reals, Bits);
        else if (Kind == "rotation") made = Turns.OfQuaternion(reals, Bits);
        else
        {
            double[] basis = Turns.OfBasis(reals);
            for (int at = 9; at < 12; at++) codes.Add(Origin.CodeOf(reals[at]));
            made = Turns.OfQuaternion(basis, Bits);
        }
        codes.AddRange(made.Cast<object>());
    }

    private object[] Numbers(object value)
    {
        object[] numbers;
        if (value is double[]) numbers = ((double[])value).Cast<object>().ToArray();
        else if (value is long[]) numbers = ((long[])value).Cast<object>().ToArray();
        else numbers = Size == 1 ? new[] { value } : throw new PackException("WRONG_TYPE");
        return numbers.Length == Size ? numbers : throw new PackException("WRONG_TYPE");
    }

    internal object Made(List<object> codes, int from)
    {
        if (Kind == "each")
        {
            object[] made = Forms.Select((form, at) => form.NumberOf(codes[from + at])).ToArray();
            if (Size == 1) return made[0];
            return made[0] is long ? (object)made.Cast<long>().ToArray() : made.Cast<double>().ToArray();
        }
        ulong[] row = codes.Skip(from + (Kind == "rigid" ? 3 : 0)).Take(Kind == "rigid" ? 4 : Codes).Cast<ulong>().ToArray();
        if (Kind == "direction") return Turns.ToDirection(row, Bits);
        if (Kind == "flat") return Turns.ToFlat(row, Bits);
        double[] turn = Turns.ToQuaternion(row, Bits);
        if (Kind == "rotation") return turn;
        double[] basis = Turns.ToBasis(turn);
        if (!Turns.OfQuaternion(Turns.OfBasis(basis), Bits).SequenceEqual(row)) throw new PackException("NOT_CANONICAL");
        return basis.Concat(Enumerable.Range(0, 3).Select(at => (double)Origin.NumberOf(codes[from + at]))).ToArray();
    }

    internal void Write(List<object> codes, int from, BitWriter bits)
    {
        for (int at = 0; at < Codes; at++)
        {
            Form form = FormAt(at);
            if (form == null) bits.Put((ulong)codes[from + at], BitsAt(at));
            else form.Write(codes[from + at], bits);
        }
    }

    internal object ReadOne(int at, BitReader bits)
    {
        Form form = FormAt(at);
        return form == null ? bits.Take(BitsAt(at)) : form.Read(bits);
    }

    internal void Read(BitReader bits, List<object> codes)
    {
        for (int at = 0; at < Codes; at++) codes.Add(ReadOne(at, bits));
    }
}

/// <summary>A NodePath by its parts.</summary>
public sealed class PathParts
{
    public bool Absolute;
    public string[] Names = new string[0];
    public string[] Subnames = new string[0];
}

/// <summary>What a schema asks beyond the bits. Patterns are not judged: their language is another here.</summary>
internal sealed class Must
{
    internal bool Finite, Unit, Unique;
    internal double Min = double.NegativeInfinity, Max = double.PositiveInfinity, MultipleOf;
    internal double[] Length, Each;
    internal double[][] Within;
    internal int Of = int.MaxValue;
    internal double[] Chars;

    internal void Judge(object value)
    {
        double[] numbers = Numbers(value).ToArray();
        Out(Finite && numbers.Any(number => double.IsNaN(number) || double.IsInfinity(number)), "NOT_FINITE");
        bool isBounded = !double.IsNegativeInfinity(Min) || !double.IsPositiveInfinity(Max);
        Out(isBounded && !(numbers[0] >= Min && numbers[0] <= Max), "OUT_OF_RANGE");
        Out(MultipleOf != 0 && !IsMultiple(numbers[0]), "NOT_MULTIPLE");
        if (Length != null || Unit)
        {
            double squared = 0;
            foreach (double number in numbers.Take(Of)) squared += number * number;
            Out(Length != null && !(Math.Sqrt(squared) >= Length[0] && Math.Sqrt(squared) <= Length[1]), "OUT_OF_RANGE");
            Out(Unit && !(Math.Abs(squared - 1) < 0.001), "NOT_NORMALIZED");
        }
        Out(Each != null && numbers.Any(number => number < Each[0] || number > Each[1]), "OUT_OF_RANGE");
        Out(Within != null && numbers.Where((number, at) => !(number >= Within[at][0] && number <= Within[at][1])).Any(), "OUT_OF_RANGE");
        if (Chars != null)
        {
            foreach (string text in Texts(value)) Out(Count(text) < Chars[0] || Count(text) > Chars[1], "WRONG_SIZE");
        }
        var items = value as List<object>;
        for (int at = 1; Unique && items != null && at < items.Count; at++)
        {
            for (int other = 0; other < at; other++) Out(Codec.Alike(items[other], items[at]), "NOT_UNIQUE");
        }
    }

    private static void Out(bool isWrong, string kind)
    {
        if (isWrong) throw new PackException(kind);
    }

    private static double Count(string text)
    {
        return text.Length - text.Count(char.IsLowSurrogate);
    }

    private static IEnumerable<string> Texts(object value)
    {
        return value is List<object> ? ((List<object>)value).Cast<string>() : new[] { (string)value };
    }

    private static IEnumerable<double> Numbers(object value)
    {
        if (value is double) return new[] { (double)value };
        if (value is double[]) return (double[])value;
        if (value is long[]) return ((long[])value).Select(number => (double)number);
        var items = value as List<object>;
        return items != null && (items.Count == 0 || items[0] is double || items[0] is double[]) ? items.SelectMany(Numbers) : new double[0];
    }

    private bool IsMultiple(double number)
    {
        double rest = Math.Abs(number % MultipleOf);
        bool isExact = (BitConverter.DoubleToInt64Bits(MultipleOf) & 0xFFFFFFFF) == 0;
        double rounding = isExact ? 0 : 2 * 2.220446049250313e-16 * Math.Abs(number);
        return Math.Min(rest, MultipleOf - rest) <= 1e-9 * MultipleOf + rounding;
    }
}

/// <summary>A key of a Dictionary.</summary>
internal sealed class Key
{
    internal string Name;
    internal int Part;
    internal bool Optional;
    internal Func<object> Default;
}

/// <summary>A part of a message. Others refer to it by its place.</summary>
internal sealed class Part
{
    internal string Kind;
    internal bool Nullable;
    internal ulong Least;
    internal Must Must;
    internal object Value;
    internal int Other;
    internal Form Form;
    internal Solid Solid;
    internal Chars Chars;
    internal object[] Values;
    internal int Width;
    internal Key[] Keys;
    internal int[] Declared;
    /// <summary>How many of the last keys were appended, if any may be.</summary>
    internal int? Grown;
    internal string Tag;
    /// <summary>The parts of cases, alternatives, elements, or of a map's key and value.</summary>
    internal int[] Items;
    internal Counts Count;
    internal ulong Last;
    internal int Fewest;
    internal Func<object>[] Defaults;
    /// <summary>The codes of a row, where there are always as many.</summary>
    internal int? Codes;

    internal int Optional => Keys.Count(key => key.Optional);

    /// <summary>The number of keys that were there from the beginning.</summary>
    internal int Fixed => Keys.Length - (Grown ?? 0);

    internal Counts Counted => Kind == "tuple" ? new Counts { Min = (ulong)Fewest, Max = (ulong)Items.Length } : Count;

    internal IEnumerable<int> Of(int number)
    {
        return Kind == "tuple" ? new[] { Items[number] } : Items;
    }
}
