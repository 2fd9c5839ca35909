// Holds classes of `gdvar protocol csharp` to vectors. Each line of the file has the id of a message, then `accepted` with bytes
// and the text of their value, `delta` with a base, a difference and the new bytes,
// `delta_from_two` with two bases and how far they are apart in place of one, `refused` with bytes, or `refused_delta` with a base
// and a difference.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using GameProtocol;

public static class Agree
{
    private static int _checks, _failures;

    public static int Main(string[] arguments)
    {
        foreach (string line in File.ReadAllLines(arguments[0]))
        {
            string[] words = line.Split(' ');
            Type message = typeof(PackException).Assembly.GetTypes().First(type => Id(type) == int.Parse(words[0]));
            if (words[1] == "accepted")
            {
                object value = Call(message, "Unpack", Bytes(words[2]));
                Check(line, Hex((byte[])message.GetMethod("Pack").Invoke(value, null)), words[2]);
                if (words.Length > 3) Check(line, Shown(Plain(message, value)), words[3]);
            }
            else if (words[1] == "delta_from_two")
            {
                object made = Call(message, "Apply", Bytes(words[2]), Bytes(words[3]), int.Parse(words[4]), int.Parse(words[5]), Bytes(words[6]));
                Check(line, Hex((byte[])made), words[7]);
            }
            else if (words[1] == "delta") Check(line, Hex((byte[])Call(message, "Apply", Bytes(words[2]), Bytes(words[3]))), words[4]);
            else if (words[1] == "refused_delta") Check(line, Refusal(() => Call(message, "Apply", Bytes(words[2]), Bytes(words[3]))), "refused");
            else Check(line, Refusal(() => Call(message, "Unpack", Bytes(words[2]))), "refused");
        }
        Console.WriteLine((_checks - _failures) + " of " + _checks + " agree");
        return _failures == 0 && _checks > 20 ? 0 : 1;
    }

    private static int Id(Type type)
    {
        FieldInfo id = type.GetField("Id");
        return id != null && id.IsLiteral ? (int)id.GetRawConstantValue() : -1;
    }

    /// The value in the runtime's plain form.
    private static object Plain(Type message, object value)
    {
        MethodInfo raw = message.GetMethod("ToRaw", BindingFlags.Instance | BindingFlags.NonPublic);
        return raw != null ? raw.Invoke(value, null) : Rawed(message.GetField("Value").GetValue(value));
    }

    private static object Rawed(object value)
    {
        if (value == null) return null;
        MethodInfo raw = value.GetType().GetMethod("ToRaw", BindingFlags.Instance | BindingFlags.NonPublic);
        if (raw != null) return raw.Invoke(value, null);
        bool isList = value.GetType().IsGenericType && value.GetType().GetGenericTypeDefinition() == typeof(List<>);
        return isList ? ((System.Collections.IEnumerable)value).Cast<object>().Select(Rawed).ToList() : value;
    }

    private static string Refusal(Action run)
    {
        try
        {
            run();
            return "accepted";
        }
        catch (PackException)
        {
            return "refused";
        }
    }

    private static object Call(Type type, string name, params object[] given)
    {
        try
        {
            return type.GetMethods(BindingFlags.Static | BindingFlags.Public).First(method => method.Name == name && method.GetParameters().Length == given.Length).Invoke(null, given);
        }
        catch (TargetInvocationException error)
        {
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Capture(error.InnerException).Throw();
            throw;
        }
    }

    private static void Check(string line, string got, string wanted)
    {
        _checks++;
        if (got == wanted) return;
        if (_failures++ < 10) Console.WriteLine(line + "\n  got    " + got + "\n  wanted " + wanted);
    }

    private static string Shown(object value)
    {
        if (value == null) return "null";
        if (value is bool) return (bool)value ? "true" : "false";
        if (value is long) return value.ToString();
        if (value is double) return "d" + BitConverter.DoubleToInt64Bits((double)value).ToString("x16");
        if (value is string) return "s" + Hex(Encoding.UTF8.GetBytes((string)value));
        if (value is PathParts)
        {
            var path = (PathParts)value;
            return "p" + (path.Absolute ? "1" : "0") + List(path.Names) + List(path.Subnames);
        }
        if (value is Dictionary<string, object>) return Entries(((Dictionary<string, object>)value).Select(pair => Shown(pair.Key) + ":" + Shown(pair.Value)));
        var items = value as List<object>;
        if (items != null && items.Count > 0 && items[0] is KeyValuePair<object, object>)
        {
            return Entries(items.Cast<KeyValuePair<object, object>>().Select(pair => Shown(pair.Key) + ":" + Shown(pair.Value)));
        }
        return List(((System.Collections.IEnumerable)value).Cast<object>());
    }

    private static string List(IEnumerable<object> items)
    {
        return "[" + string.Join(",", items.Select(Shown)) + "]";
    }

    private static string Entries(IEnumerable<string> entries)
    {
        string[] sorted = entries.OrderBy(entry => entry, StringComparer.Ordinal).ToArray();
        return sorted.Length == 0 ? "[]" : "{" + string.Join(",", sorted) + "}";
    }

    private static string Hex(byte[] bytes)
    {
        return string.Concat(bytes.Select(each => each.ToString("x2")));
    }

    private static byte[] Bytes(string hex)
    {
        return Enumerable.Range(0, hex.Length / 2).Select(at => Convert.ToByte(hex.Substring(at * 2, 2), 16)).ToArray();
    }
}
