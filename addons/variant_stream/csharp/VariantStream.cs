// VariantStream for C#. The engine makes no C# classes of an extension's, so these call it by name. A project with
// C# compiles this file where it is. It needs Godot 4.4 or newer, where static methods can be called by name.
//
//     byte[] bytes = VariantStream.Encode(new Godot.Collections.Dictionary { { "hp", 80 } });
//     var codec = new VariantCodec { Limits = VariantLimits.Network() };
//     if (codec.Decode(bytes) == Error.Ok)
//         GD.Print(codec.Data);
//     else
//         GD.Print(codec.ErrorMessage);
//
// Classes without a wrapper here (VariantReader, VariantWriter, VariantSchema) are reached in the same way:
// ClassDB.Instantiate("VariantReader").AsGodotObject().Call("feed", bytes).

using Godot;
using Godot.Collections;

namespace VariantStreamAddon
{
    /// <summary>The static functions of VariantStream, for one value at a time.</summary>
    public static class VariantStream
    {
        private static readonly StringName Name = "VariantStream";

        /// <summary>Whether the library for this platform is loaded.</summary>
        public static bool IsAvailable
        {
            get { return ClassDB.ClassExists(Name); }
        }

        /// <summary>The bytes of var_to_bytes(), or none when the value is refused.</summary>
        public static byte[] Encode(Variant value)
        {
            return ClassDB.ClassCallStatic(Name, "encode", value).AsByteArray();
        }

        /// <summary>The value, or the fallback when the bytes are refused or hold another type than the fallback.</summary>
        public static Variant Decode(byte[] bytes, Variant fallback = default(Variant))
        {
            return ClassDB.ClassCallStatic(Name, "decode", bytes, fallback);
        }

        /// <summary>The number of bytes of Encode(), or -1.</summary>
        public static long EncodedSize(Variant value)
        {
            return ClassDB.ClassCallStatic(Name, "encoded_size", value).AsInt64();
        }

        /// <summary>A line for every field of the bytes.</summary>
        public static string Dump(byte[] bytes)
        {
            return ClassDB.ClassCallStatic(Name, "dump", bytes).AsString();
        }

        /// <summary>The value as JSON that loses nothing.</summary>
        public static string ToJson(byte[] bytes)
        {
            return ClassDB.ClassCallStatic(Name, "to_json", bytes).AsString();
        }

        /// <summary>The bytes of a value in the JSON of ToJson().</summary>
        public static byte[] FromJson(string json)
        {
            return ClassDB.ClassCallStatic(Name, "from_json", json).AsByteArray();
        }

        /// <summary>The error of this thread's last call, or an empty Dictionary. Its keys are those of get_error().</summary>
        public static Dictionary LastError
        {
            get { return ClassDB.ClassCallStatic(Name, "get_last_error").AsGodotDictionary(); }
        }

        /// <summary>Shows bytes in the editor's panel while the game runs under its debugger.</summary>
        public static void Tap(byte[] bytes, string label)
        {
            ClassDB.ClassCallStatic(Name, "tap", bytes, label);
        }
    }

    /// <summary>The presets of VariantLimits, to be assigned to VariantCodec.Limits.</summary>
    public static class VariantLimits
    {
        private static readonly StringName Name = "VariantLimits";

        /// <summary>For packets from strangers.</summary>
        public static Resource Network()
        {
            return (Resource)ClassDB.ClassCallStatic(Name, "network").AsGodotObject();
        }

        /// <summary>For files that a player may have edited.</summary>
        public static Resource SaveFile()
        {
            return (Resource)ClassDB.ClassCallStatic(Name, "save_file").AsGodotObject();
        }

        /// <summary>For bytes that only your own game could have written.</summary>
        public static Resource Engine()
        {
            return (Resource)ClassDB.ClassCallStatic(Name, "engine").AsGodotObject();
        }
    }

    /// <summary>A VariantCodec: limits, strictness and a schema, and an error for each refusal.</summary>
    public sealed class VariantCodec
    {
        private static readonly StringName Name = "VariantCodec";
        private readonly GodotObject _codec = ClassDB.Instantiate(Name).AsGodotObject();

        /// <summary>The value of the last Decode(), or null after a refusal.</summary>
        public Variant Data
        {
            get { return _codec.Get("data"); }
        }

        /// <summary>One of the presets of VariantLimits, changed as the game needs.</summary>
        public Resource Limits
        {
            get { return (Resource)_codec.Get("limits").AsGodotObject(); }
            set { _codec.Set("limits", value); }
        }

        /// <summary>A VariantSchema, loaded from a .tres file for example.</summary>
        public Resource Schema
        {
            get { return (Resource)_codec.Get("schema").AsGodotObject(); }
            set { _codec.Set("schema", value); }
        }

        /// <summary>0 is ENGINE, 1 is SAFE (the default), 2 is CANONICAL.</summary>
        public long Strictness
        {
            get { return _codec.Get("strictness").AsInt64(); }
            set { _codec.Set("strictness", value); }
        }

        /// <summary>Decodes into Data.</summary>
        public Error Decode(byte[] bytes)
        {
            return (Error)_codec.Call("decode", bytes).AsInt64();
        }

        /// <summary>Decodes into a Dictionary or an Array that the game already has.</summary>
        public Error DecodeInto(Variant target, byte[] bytes)
        {
            return (Error)_codec.Call("decode_into", target, bytes).AsInt64();
        }

        /// <summary>The code of Decode(), without a value.</summary>
        public Error Validate(byte[] bytes)
        {
            return (Error)_codec.Call("validate", bytes).AsInt64();
        }

        /// <summary>The bytes, or none when the value is refused.</summary>
        public byte[] Encode(Variant value)
        {
            return _codec.Call("encode", value).AsByteArray();
        }

        /// <summary>The error of the last call, or an empty Dictionary: code, path, byte_offset, expected, got, message.</summary>
        public Dictionary GetError()
        {
            return _codec.Call("get_error").AsGodotDictionary();
        }

        /// <summary>The error of the last call in one line, or an empty text.</summary>
        public string ErrorMessage
        {
            get { return _codec.Call("get_error_message").AsString(); }
        }
    }
}
