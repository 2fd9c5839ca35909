/// <summary>Says why a value or bytes were refused: a kind of VariantCodec, and the path of the part.</summary>
public sealed class PackException : Exception
{
    public string Kind { get; }
    public string Path { get; internal set; }

    public PackException(string kind, string path = "") : base(kind)
    {
        Kind = kind;
        Path = path;
    }

    public override string Message => (Path.Length == 0 ? "(root)" : Path) + ": " + Kind;

    internal static T Below<T>(string step, Func<T> run)
    {
        try
        {
            return run();
        }
        catch (PackException error)
        {
            error.Path = step + (error.Path.Length > 0 && error.Path[0] != '[' ? "." : "") + error.Path;
            throw;
        }
    }
}

internal static class Limits
{
    internal const int Values = 65536;
    internal const int Levels = 64;
    /// <summary>Levels of a pass, to which references and unions add.</summary>
    internal const int Steps = 256;
    internal const int Bytes = 1 << 20;
    internal const int Text = 65536;

    /// <summary>How many elements without bits a packed value of so many bytes may have.</summary>
    internal static long Free(long bytes)
    {
        return 64 + 64 * bytes;
    }
}

internal sealed class BitWriter
{
    private static readonly ulong[] Begins = { 0, 8, 72, 1096, 33864, 2131016, 4297098312, 281479273808968 };
    private static readonly int[] Widths = { 3, 6, 10, 15, 21, 32, 48, 64 };
    private readonly List<byte> _bytes = new List<byte>();
    private int _used;
    private ulong _charged;

    internal void Put(ulong code, int count)
    {
        for (int done = 0; done < count;)
        {
            if (_used == 0) _bytes.Add(0);
            int taken = Math.Min(8 - _used, count - done);
            ulong bits = (code >> done) & ((1UL << taken) - 1);
            _bytes[_bytes.Count - 1] |= (byte)(bits << _used);
            _used = (_used + taken) & 7;
            done += taken;
        }
    }

    /// <summary>The number of bits.</summary>
    internal long Length => _bytes.Count * 8L - (_used == 0 ? 0 : 8 - _used);

    internal void Bit(bool bit)
    {
        Put(bit ? 1UL : 0UL, 1);
    }

    internal void Varint(ulong code)
    {
        int at = Bucket(code);
        Put((ulong)at, 3);
        Put(code - Begins[at], Widths[at]);
    }

    internal static int Bucket(ulong code)
    {
        int at = Begins.Length - 1;
        while (code < Begins[at]) at--;
        return at;
    }

    internal static int VarintBits(ulong code)
    {
        return 3 + Widths[Bucket(code)];
    }

    internal static ulong Begin(int at, out int width)
    {
        width = Widths[at];
        return Begins[at];
    }

    /// <summary>Counts elements, which may have no bits.</summary>
    internal void Charge(ulong count, ulong least)
    {
        if (least == 0) _charged += count;
    }

    /// <summary>The bytes of a part, whose elements without bits are counted with those of the whole.</summary>
    internal byte[] Part(BitWriter whole)
    {
        whole._charged += _charged;
        return _bytes.ToArray();
    }

    internal byte[] Finish()
    {
        return _charged > (ulong)Limits.Free(_bytes.Count) ? throw new PackException("WRONG_SIZE") : _bytes.ToArray();
    }
}

internal sealed class BitReader
{
    private readonly byte[] _bytes;
    private long _at;
    private long _free;
    private int _level, _steps;
    internal int Values;

    internal BitReader(byte[] bytes)
    {
        _bytes = bytes;
        _free = Limits.Free(bytes.Length);
    }

    /// <summary>Reads a difference. What it makes is looked at once more, and exactly.</summary>
    internal BitReader(byte[] delta, byte[] newer) : this(delta)
    {
        _free = Limits.Free(8L * (delta.Length + newer.Length));
    }

    internal long Left => _bytes.Length * 8L - _at;

    /// <summary>Refuses what needs more bits than there are, before anything of it is kept.</summary>
    internal void Needs(ulong count, ulong each)
    {
        if (each > 0 && count > (ulong)Left / each) throw new PackException("INCOMPLETE");
    }

    /// <summary>Refuses more elements than there are bits for, or than may come without bits.</summary>
    internal void Room(ulong count, ulong least)
    {
        Needs(count, least);
        if (least > 0) return;
        if (count > (ulong)_free) throw new PackException("WRONG_SIZE");
        _free -= (long)count;
    }

    /// <summary>Goes a level down.</summary>
    internal void Down()
    {
        if (++_level > Limits.Levels || ++_steps > Limits.Steps) throw new PackException("TOO_DEEP");
    }

    internal void Up()
    {
        _level--;
        _steps--;
    }

    /// <summary>Takes back what a value was charged: the next one stands for it, which a reference leads to, or a union or case is.</summary>
    internal void Stay()
    {
        Values--;
        _level--;
    }

    internal void Stayed()
    {
        _level++;
    }

    internal ulong Take(int count)
    {
        Needs((ulong)count, 1);
        ulong code = 0;
        for (int done = 0; done < count;)
        {
            int shift = (int)(_at & 7);
            int taken = Math.Min(8 - shift, count - done);
            code |= (((ulong)_bytes[_at >> 3] >> shift) & ((1UL << taken) - 1)) << done;
            done += taken;
            _at += taken;
        }
        return code;
    }

    internal void Pass(long bits)
    {
        _at += bits;
    }

    internal bool Bit()
    {
        return Take(1) == 1;
    }

    internal ulong Varint(string kind)
    {
        ulong begin = BitWriter.Begin((int)Take(3), out int width);
        ulong rest = Take(width);
        if (rest > ulong.MaxValue - begin) throw new PackException(kind);
        return begin + rest;
    }

    internal void Value()
    {
        if (++Values > Limits.Values) throw new PackException("TOO_MANY_VALUES");
    }

    internal void Elements(ulong count)
    {
        if (count > (ulong)(Limits.Values - Values)) throw new PackException("TOO_MANY_VALUES");
    }

    internal void End()
    {
        if (Left > 7) throw new PackException("TRAILING_BYTES");
        if (Take((int)Left) != 0) throw new PackException("DIRTY_PADDING");
    }
}

/// <summary>How a number is packed. Codes of ints are ulong, those of floats that are kept as they are double.</summary>
internal sealed class Form
{
    internal string Kind;
    internal long End, Step = 1;
    internal ulong Last;
    internal int Bits;
    internal bool Clamped, Lossy, Narrow;
    internal double Min, Max, Grid, Least, Most;

    private const double MostNarrow = 4194304.0, MostWide = 2251799813685248.0;

    private static PackException Refuse(string kind)
    {
        return new PackException(kind);
    }

    internal static int Width(ulong last)
    {
        int width = 0;
        for (; last > 0; last >>= 1) width++;
        return width;
    }

    internal static ulong Zigzag(long number)
    {
        return (ulong)((number << 1) ^ (number >> 63));
    }

    internal static long Unzigzag(ulong code)
    {
        return (long)(code >> 1) ^ -(long)(code & 1);
    }

    internal int CodeWidth => Kind == "grid" ? Width(Last) : Bits;

    internal bool IsInt => Kind == "span" || Kind == "from" || Kind == "to" || Kind == "around";

    internal bool IsVarint => Kind == "from" || Kind == "to" || Kind == "around" || Kind == "steps";

    internal object CodeOf(object value)
    {
        if (IsInt)
        {
            if (!(value is long)) throw Refuse("WRONG_TYPE");
            return Kind == "span" ? Span((long)value) : Open((long)value);
        }
        if (!(value is double)) throw Refuse("WRONG_TYPE");
        double number = (double)value;
        switch (Kind)
        {
            case "free":
                return number;
            case "raw":
                return Raw(number);
            case "grid":
                return OnGrid(number);
            case "steps":
                return Zigzag((long)Steps(number, Math.Round(number / Grid, MidpointRounding.ToEven), Narrow ? MostNarrow : MostWide));
            default:
                double steps = Steps(number, Math.Round(number / (2 * Math.PI) * Math.Pow(2, Bits), MidpointRounding.ToEven), MostWide);
                return (ulong)(long)steps & ((1UL << Bits) - 1);
        }
    }

    private ulong Span(long value)
    {
        if (value < End) return Clamped ? 0UL : throw Refuse("OUT_OF_RANGE");
        ulong above = unchecked((ulong)value - (ulong)End);
        ulong code = above / (ulong)Step;
        if (code > Last) return Clamped ? Last : throw Refuse("OUT_OF_RANGE");
        if (!Clamped && code * (ulong)Step != above) throw Refuse("NOT_MULTIPLE");
        return code;
    }

    private ulong Open(long value)
    {
        if (Kind == "around") return value % Step == 0 ? Zigzag(value / Step) : throw Refuse("NOT_MULTIPLE");
        if (Kind == "from" ? value < End : value > End) throw Refuse("OUT_OF_RANGE");
        ulong above = unchecked(Kind == "from" ? (ulong)value - (ulong)End : (ulong)End - (ulong)value);
        return above % (ulong)Step == 0 ? above / (ulong)Step : throw Refuse("NOT_MULTIPLE");
    }

    private double Raw(double number)
    {
        if (Bits == 16) return OfHalf(HalfOf(number));
        if (Bits == 64 || double.IsNaN(number)) return number;
        float near = (float)number;
        bool isLost = float.IsInfinity(near) && !double.IsInfinity(number);
        if (isLost || (!Lossy && !IsSame(near, number))) throw Refuse("OUT_OF_RANGE");
        return near;
    }

    private static double Steps(double number, double steps, double most)
    {
        if (double.IsNaN(number) || double.IsInfinity(number)) throw Refuse("NOT_FINITE");
        return Math.Abs(steps) > most ? throw Refuse("OUT_OF_RANGE") : steps;
    }

    private ulong OnGrid(double number)
    {
        if (double.IsNaN(number) || double.IsInfinity(number)) throw Refuse("NOT_FINITE");
        bool isOutside = number < Math.Min(Least, Min) || number > Math.Max(Most, Max);
        if (isOutside && !Clamped) throw Refuse("OUT_OF_RANGE");
        double steps = Math.Round((Math.Min(Math.Max(number, Min), Max) - Min) / Grid, MidpointRounding.ToEven);
        return Math.Min((ulong)steps, Last);
    }

    internal object NumberOf(object code)
    {
        switch (Kind)
        {
            case "span":
            case "from":
                return unchecked(End + (long)(ulong)code * Step);
            case "to":
                return unchecked(End - (long)(ulong)code * Step);
            case "around":
                return unchecked(Unzigzag((ulong)code) * Step);
            case "free":
            case "raw":
                return code;
            case "grid":
                ulong at = (ulong)code;
                if (at == 0) return Least;
                if (at >= Last) return Most;
                double number = Min + at * Grid;
                return (Narrow ? (double)(float)number : number) + 0.0;
            case "steps":
                double steps = Unzigzag((ulong)code) * Grid;
                return (Narrow ? (double)(float)steps : steps) + 0.0;
            default:
                double turn = Math.Pow(2, Bits);
                double part = (ulong)code;
                return (part >= turn / 2 ? part - turn : part) * (2 * Math.PI / turn);
        }
    }

    internal object Check(object code)
    {
        if ((Kind == "span" || Kind == "grid") && (ulong)code > Last) throw Refuse("OUT_OF_RANGE");
        if (IsInt && Kind != "span")
        {
            decimal steps = Kind == "around" ? Unzigzag((ulong)code) : (decimal)(ulong)code;
            decimal most = (decimal)long.MaxValue * 2 + 2;
            decimal number = Math.Abs(steps) * Step > most ? most * 2 : Kind == "to" ? End - steps * Step : (Kind == "from" ? End : 0) + steps * Step;
            if (number < long.MinValue || number > long.MaxValue) throw Refuse("OUT_OF_RANGE");
        }
        if (Kind == "steps" && (ulong)CodeOf(NumberOf(code)) != (ulong)code) throw Refuse("OUT_OF_RANGE");
        return code;
    }

    internal void Write(object code, BitWriter bits)
    {
        if (IsVarint) bits.Varint((ulong)code);
        else if (Kind == "raw") WriteFloat((double)code, Bits, bits);
        else if (Kind == "free")
        {
            double number = (double)code;
            bool isShort = double.IsNaN(number) || IsSame((float)number, number);
            bits.Bit(isShort);
            WriteFloat(number, isShort ? 32 : 64, bits);
        }
        else bits.Put((ulong)code, CodeWidth);
    }

    internal object Read(BitReader bits)
    {
        if (IsVarint) return Check(bits.Varint("OUT_OF_RANGE"));
        if (Kind == "raw") return ReadFloat(Bits, bits);
        if (Kind != "free") return Check(bits.Take(CodeWidth));
        if (bits.Bit()) return ReadFloat(32, bits);
        double number = ReadFloat(64, bits);
        return double.IsNaN(number) || IsSame((float)number, number) ? throw Refuse("NOT_CANONICAL") : number;
    }

    internal static bool IsSame(double a, double b)
    {
        return BitConverter.DoubleToInt64Bits(a) == BitConverter.DoubleToInt64Bits(b);
    }

    private static void WriteFloat(double number, int count, BitWriter bits)
    {
        if (count == 16) bits.Put(HalfOf(number), 16);
        else if (double.IsNaN(number)) bits.Put(count == 32 ? 0x7FC00000UL : 0x7FF8000000000000UL, count);
        else if (count == 32) bits.Put(BitConverter.ToUInt32(BitConverter.GetBytes((float)number), 0), 32);
        else bits.Put((ulong)BitConverter.DoubleToInt64Bits(number), 64);
    }

    private static double ReadFloat(int count, BitReader bits)
    {
        ulong code = bits.Take(count);
        double number;
        if (count == 16) number = OfHalf((ushort)code);
        else if (count == 32) number = BitConverter.ToSingle(BitConverter.GetBytes((uint)code), 0);
        else number = BitConverter.Int64BitsToDouble((long)code);
        ulong nan = count == 16 ? 0x7E00UL : count == 32 ? 0x7FC00000UL : 0x7FF8000000000000UL;
        return double.IsNaN(number) && code != nan ? throw Refuse("NOT_CANONICAL") : number;
    }

    internal static ushort HalfOf(double number)
    {
        if (double.IsNaN(number)) return 0x7E00;
        ulong word = (ulong)BitConverter.DoubleToInt64Bits(number);
        ushort sign = (ushort)(word >> 63 << 15);
        double size = Math.Abs(number);
        if (double.IsInfinity(size)) return (ushort)(sign | 0x7C00);
        int exponent = Math.Max((int)((word >> 52) & 0x7FF) - 1023, -14);
        if (exponent > 16) throw Refuse("OUT_OF_RANGE");
        int code = ((exponent + 14) << 10) + (int)Math.Round(size * Math.Pow(2, 10 - exponent), MidpointRounding.ToEven);
        return code < 0x7C00 ? (ushort)(sign | code) : throw Refuse("OUT_OF_RANGE");
    }

    internal static double OfHalf(ushort half)
    {
        int exponent = (half >> 10) & 31;
        double steps = half & 0x3FF;
        double size;
        if (exponent == 31) size = steps > 0 ? double.NaN : double.PositiveInfinity;
        else size = exponent == 0 ? steps * Math.Pow(2, -24) : (steps + 1024) * Math.Pow(2, exponent - 25);
        return (half & 0x8000) == 0 ? size : -size;
    }
}
