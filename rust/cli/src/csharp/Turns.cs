/// <summary>Directions and rotations.</summary>
internal static class Turns
{
    private const double Root = 0.70710678118654752440;
    private const double Margin = 1.0 / 2097152.0;

    private static double Most(int bits)
    {
        return Math.Pow(2, bits - 1) - 1;
    }

    private static double Rounded(double number, double most)
    {
        return Math.Min(Math.Max(Math.Round(number, MidpointRounding.ToEven), -most), most);
    }

    private static PackException NoUnit()
    {
        return new PackException("NOT_NORMALIZED");
    }

    private static PackException NoCode()
    {
        return new PackException("NOT_CANONICAL");
    }

    private static double LeftOut(double[] codes, double most)
    {
        double a = codes[0] / most * Root, b = codes[1] / most * Root, c = codes[2] / most * Root;
        double sum = a * a + b * b + c * c;
        return sum < 1 ? Math.Sqrt(1 - sum) : -1;
    }

    private static double Far(double[] codes)
    {
        return Math.Max(Math.Max(Math.Abs(codes[0]), Math.Abs(codes[1])), Math.Abs(codes[2]));
    }

    private static bool IsSettled(double[] codes, double most)
    {
        double left = LeftOut(codes, most);
        return left >= 0 && left >= Far(codes) / most * Root + Margin;
    }

    internal static ulong[] OfQuaternion(double[] q, int bits)
    {
        double length = Math.Sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (!(length > 0) || double.IsInfinity(length)) throw NoUnit();
        int largest = 0;
        double size = -1;
        var unit = new double[4];
        for (int at = 0; at < 4; at++)
        {
            unit[at] = q[at] / length;
            if (Math.Abs(unit[at]) > size)
            {
                largest = at;
                size = Math.Abs(unit[at]);
            }
        }
        double sign = unit[largest] < 0 ? -1 : 1, most = Most(bits);
        var codes = new double[3];
        for (int at = 0, slot = 0; at < 4; at++)
        {
            if (at != largest) codes[slot++] = Rounded(unit[at] * sign / Root * most, most);
        }
        while (!IsSettled(codes, most))
        {
            double far = Far(codes);
            int at = Array.FindIndex(codes, code => Math.Abs(code) >= far);
            codes[at] -= Math.Sign(codes[at]);
        }
        return new[] { (ulong)largest, (ulong)(codes[0] + most), (ulong)(codes[1] + most), (ulong)(codes[2] + most) };
    }

    internal static double[] ToQuaternion(ulong[] stored, int bits)
    {
        return Exact(stored, bits).Select(number => (double)(float)number).ToArray();
    }

    /// <summary>The quaternion of codes in 64 bits.</summary>
    internal static double[] Exact(ulong[] stored, int bits)
    {
        double most = Most(bits);
        var codes = new[] { stored[1] - most, stored[2] - most, stored[3] - most };
        if (codes.Any(code => code > most) || !IsSettled(codes, most)) throw NoCode();
        var made = new double[4];
        for (int at = 0, slot = 0; at < 4; at++)
        {
            made[at] = (ulong)at == stored[0] ? LeftOut(codes, most) : codes[slot++] / most * Root;
        }
        return made;
    }

    private static double Dot(double[] a, double[] b)
    {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    }

    private static double[] Product(double[] a, double[] b)
    {
        return new[]
        {
            a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
            a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
            a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
        };
    }

    private static double[] Unit(double[] q)
    {
        double length = Math.Sqrt(Dot(q, q));
        return q.Select(number => number / length).ToArray();
    }

    /// <summary>The rotation that is likely after two, the newer first.</summary>
    internal static double[] Predicted(double[] a, double[] b, int ahead, int gap)
    {
        double sign = Sign(Dot(a, b));
        double[] turned = Product(Product(a, new[] { -(b[0] * sign), -(b[1] * sign), -(b[2] * sign), b[3] * sign }), a);
        if (ahead == gap) return turned;
        double[] unit = Unit(turned);
        double near = Sign(Dot(a, unit)), part = (double)ahead / gap;
        return unit.Select((number, at) => a[at] + (near * number - a[at]) * part).ToArray();
    }

    /// <summary>The numbers beside this one, though it may not be the largest.</summary>
    internal static ulong[] Without(double[] quaternion, int leftOut, int bits)
    {
        double[] unit = Unit(quaternion);
        double sign = Sign(unit[leftOut]), most = Most(bits);
        return unit.Where((_, at) => at != leftOut).Select(number => (ulong)(Rounded(number * sign / Root * most, most) + most)).ToArray();
    }

    private static double Sign(double number)
    {
        return number < 0 ? -1 : 1;
    }

    internal static ulong[] OfDirection(double[] d, int bits)
    {
        double sum = Math.Abs(d[0]) + Math.Abs(d[1]) + Math.Abs(d[2]);
        if (!(sum > 0) || double.IsInfinity(sum)) throw NoUnit();
        double u = d[0] / sum, v = d[1] / sum;
        if (d[2] < 0)
        {
            double turned = (1 - Math.Abs(v)) * Sign(u);
            v = (1 - Math.Abs(u)) * Sign(v);
            u = turned;
        }
        double most = Most(bits);
        u = Rounded(u * most, most);
        v = Rounded(v * most, most);
        if (Math.Abs(u) >= most) v = Math.Abs(v);
        if (Math.Abs(v) >= most) u = Math.Abs(u);
        return new[] { (ulong)(u + most), (ulong)(v + most) };
    }

    internal static double[] ToDirection(ulong[] codes, int bits)
    {
        double most = Most(bits);
        double u = (codes[0] - most) / most, v = (codes[1] - most) / most;
        if (u > 1 || v > 1) throw NoCode();
        double z = 1 - Math.Abs(u) - Math.Abs(v), x = u, y = v;
        if (z < 0)
        {
            x = (1 - Math.Abs(v)) * Sign(u);
            y = (1 - Math.Abs(u)) * Sign(v);
        }
        return Checked(new[] { x, y, z }, made => OfDirection(made, bits), codes);
    }

    internal static ulong[] OfFlat(double[] d, int bits)
    {
        double sum = Math.Abs(d[0]) + Math.Abs(d[1]);
        if (!(sum > 0) || double.IsInfinity(sum)) throw NoUnit();
        double most = Most(bits);
        double code = Rounded(d[0] / sum * most, most);
        return new[] { (ulong)(code + most), d[1] < 0 && Math.Abs(code) < most ? 1UL : 0UL };
    }

    internal static double[] ToFlat(ulong[] codes, int bits)
    {
        double most = Most(bits);
        double u = (codes[0] - most) / most;
        if (u > 1) throw NoCode();
        return Checked(new[] { u, (1 - Math.Abs(u)) * (codes[1] == 1 ? -1 : 1) }, made => OfFlat(made, bits), codes);
    }

    private static double[] Checked(double[] numbers, Func<double[], ulong[]> again, ulong[] codes)
    {
        double squared = 0;
        foreach (double number in numbers) squared += number * number;
        double length = Math.Sqrt(squared);
        double[] made = numbers.Select(number => (float)(number / length) + 0.0).ToArray();
        return again(made).SequenceEqual(codes) ? made : throw NoCode();
    }

    internal static double[] OfBasis(double[] r)
    {
        double a = r[0], b = r[1], c = r[2], d = r[3], e = r[4], f = r[5], g = r[6], h = r[7], i = r[8];
        double xx = a * a + b * b + c * c, yy = d * d + e * e + f * f, zz = g * g + h * h + i * i;
        double xy = a * d + b * e + c * f, yz = d * g + e * h + f * i, xz = a * g + b * h + c * i;
        bool isUnit = new[] { xx, yy, zz }.All(dot => Math.Abs(dot - 1) < 0.001);
        bool isSquare = new[] { xy, yz, xz }.All(dot => Math.Abs(dot) < 0.001);
        double determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
        if (!isUnit || !isSquare || determinant < 0) throw NoUnit();
        var quarters = new[] { 1 + a - e - i, 1 - a + e - i, 1 - a - e + i, 1 + a + e + i };
        double q = quarters.Max();
        switch (Array.IndexOf(quarters, q))
        {
            case 0:
                return new[] { q, b + d, c + g, h - f };
            case 1:
                return new[] { b + d, q, f + h, c - g };
            case 2:
                return new[] { c + g, f + h, q, d - b };
            default:
                return new[] { h - f, c - g, d - b, q };
        }
    }

    internal static double[] ToBasis(double[] q)
    {
        double x = q[0], y = q[1], z = q[2], w = q[3];
        double s = 2 / (x * x + y * y + z * z + w * w);
        double xx = x * x * s, yy = y * y * s, zz = z * z * s;
        double xy = x * y * s, xz = x * z * s, yz = y * z * s;
        double wx = w * x * s, wy = w * y * s, wz = w * z * s;
        var rows = new[] { 1 - (yy + zz), xy - wz, xz + wy, xy + wz, 1 - (xx + zz), yz - wx, xz - wy, yz + wx, 1 - (xx + yy) };
        return rows.Select(number => (float)number + 0.0).ToArray();
    }
}
