//! The messages of a protocol, each as a type of its own. Written by `gdvar protocol rust`: changes are lost when it is written
//! again.
#![allow(dead_code, missing_docs, unreachable_pub, unused_imports, clippy::all)]

use serde::{Deserialize, Serialize};
pub use variant_protocol::typed::{Arrival, Message, SendFailure, Side};

pub type Server = Side<ServerMessage, ClientMessage>;
pub type Client = Side<ClientMessage, ServerMessage>;

/// The protocol, as `VariantProtocol.to_json()` writes it.
pub const PROTOCOL: &str = r#"{
  "protocol": 1,
  "reserved": [
    4
  ],
  "messages": [
    {
      "name": "ints",
      "id": 5,
      "sender": "server",
      "schema": {
        "schema_version": 1,
        "type": "dict",
        "keys": {
          "a": {
            "type": "int",
            "min": -5,
            "max": 5
          },
          "b": {
            "type": "int",
            "min": 0,
            "max": 4294967295
          },
          "c": {
            "type": "int",
            "min": -9
          },
          "d": {
            "type": "int",
            "max": 9
          },
          "e": {
            "type": "int"
          },
          "f": {
            "type": "int",
            "min": -9223372036854775808,
            "max": 9223372036854775807
          },
          "g": {
            "type": "int",
            "min": 0,
            "max": 1000,
            "multiple_of": 250
          },
          "h": {
            "type": "int",
            "multiple_of": 10
          },
          "i": {
            "type": "int",
            "min": 7,
            "max": 7
          },
          "j": {
            "type": "int",
            "min": 0,
            "max": 100,
            "packing": {
              "bits": 32
            }
          },
          "k": {
            "type": "int",
            "min": 0,
            "max": 100,
            "packing": {
              "clamped": true
            }
          },
          "l": {
            "type": "int",
            "min": 0,
            "max": 1152921504606846976
          },
          "m": {
            "type": "int",
            "min": -9223372036854775808
          }
        },
        "open": false
      }
    },
    {
      "name": "floats",
      "id": 6,
      "sender": "server",
      "schema": {
        "schema_version": 1,
        "type": "dict",
        "keys": {
          "a": {
            "type": "float"
          },
          "b": {
            "type": "float",
            "packing": {
              "width": "single",
              "lossy": true
            }
          },
          "c": {
            "type": "float",
            "packing": {
              "width": "half"
            }
          },
          "d": {
            "type": "float",
            "packing": {
              "width": "double"
            }
          },
          "e": {
            "type": "float",
            "min": 0.0,
            "max": 1.0,
            "packing": {
              "step": 0.25
            }
          },
          "f": {
            "type": "float",
            "min": 0.0,
            "max": 1.0,
            "packing": {
              "bits": 8
            }
          },
          "g": {
            "type": "float",
            "packing": {
              "step": 0.5
            }
          },
          "h": {
            "type": "float",
            "min": -1.0,
            "max": 1.0,
            "packing": {
              "bits": 20,
              "clamped": true
            }
          },
          "i": {
            "type": "float",
            "packing": {
              "angle": 13
            }
          },
          "j": {
            "type": "float",
            "allow_non_finite": true
          },
          "k": {
            "type": "float",
            "min": 0.1,
            "max": 0.7,
            "packing": {
              "step": 0.1
            }
          }
        },
        "open": false
      }
    },
    {
      "name": "vectors",
      "id": 7,
      "sender": "server",
      "schema": {
        "schema_version": 1,
        "type": "dict",
        "keys": {
          "a": {
            "type": "vector2"
          },
          "b": {
            "type": "vector3",
            "within": [-512.0, -64.0, -512.0, 1024.0, 256.0, 1024.0],
            "packing": {
              "step": 0.01
            }
          },
          "c": {
            "type": "vector3",
            "packing": {
              "step": 0.05,
              "from": -20.0,
              "to": 20.0
            }
          },
          "d": {
            "type": "quaternion",
            "packing": {
              "bits": 10
            }
          },
          "e": {
            "type": "vector2i"
          },
          "f": {
            "type": "vector3i",
            "within": [0.0, 0.0, 0.0, 7.0, 15.0, 31.0]
          },
          "g": {
            "type": "vector3",
            "normalized": true,
            "packing": {
              "bits": 9
            }
          },
          "h": {
            "type": "vector2",
            "normalized": true,
            "packing": {
              "bits": 7
            }
          },
          "i": {
            "type": "color",
            "packing": {
              "bits": 8
            }
          },
          "j": {
            "type": "transform3d",
            "packing": {
              "rigid_step": 0.5,
              "rigid_bits": 10
            }
          },
          "k": {
            "type": "rect2"
          },
          "l": {
            "type": "basis"
          },
          "m": {
            "type": "vector2",
            "packing": {
              "width": "half"
            }
          },
          "n": {
            "type": "vector4",
            "packing": {
              "width": "double"
            }
          },
          "o": {
            "type": "vector2",
            "packing": {
              "step": 0.5
            }
          },
          "p": {
            "type": "rect2i"
          },
          "q": {
            "type": "plane"
          },
          "r": {
            "type": "aabb"
          },
          "s": {
            "type": "vector4i"
          },
          "t": {
            "type": "transform2d"
          },
          "u": {
            "type": "projection"
          },
          "v": {
            "type": "vector2",
            "within": [0.1, 0.1, 0.6, 0.6],
            "packing": {
              "bits": 7
            }
          }
        },
        "open": false
      }
    },
    {
      "name": "texts",
      "id": 8,
      "sender": "server",
      "schema": {
        "schema_version": 1,
        "type": "dict",
        "keys": {
          "a": {
            "type": "string",
            "max_chars": 9
          },
          "b": {
            "type": "string_name"
          },
          "c": {
            "type": "node_path"
          },
          "d": {
            "type": "string",
            "max_chars": 16,
            "packing": {
              "alphabet": "a-z0-9_"
            }
          },
          "e": {
            "type": "string",
            "packing": {
              "alphabet": "ü"
            }
          },
          "f": {
            "type": "packed_string_array"
          },
          "g": {
            "type": "packed_string_array",
            "packing": {
              "elements": {
                "type": "string",
                "max_chars": 3,
                "packing": {
                  "alphabet": "a-d"
                }
              }
            }
          }
        },
        "open": false
      }
    },
    {
      "name": "lists",
      "id": 9,
      "sender": "server",
      "schema": {
        "schema_version": 1,
        "type": "dict",
        "keys": {
          "a": {
            "type": "array",
            "items": {
              "type": "int",
              "min": 0,
              "max": 3
            }
          },
          "b": {
            "type": "array",
            "items": {
              "type": "int",
              "min": 0,
              "max": 3
            },
            "min_size": 2,
            "max_size": 2
          },
          "c": {
            "type": "array",
            "items": {
              "type": "enum",
              "values": [7]
            },
            "max_size": 5
          },
          "d": {
            "type": "tuple",
            "items": [
              {
                "type": "int",
                "min": 0,
                "max": 3
              },
              {
                "type": "int",
                "min": 0,
                "max": 3,
                "optional": true
              }
            ]
          },
          "e": {
            "type": "tuple",
            "items": [
              {
                "type": "int",
                "min": 0,
                "max": 3
              },
              {
                "type": "int",
                "min": 0,
                "max": 3,
                "default": 3
              }
            ]
          },
          "f": {
            "type": "map",
            "key": {
              "type": "string"
            },
            "value": {
              "type": "int",
              "min": 0,
              "max": 3
            }
          },
          "g": {
            "type": "packed_byte_array"
          },
          "h": {
            "type": "packed_int32_array",
            "packing": {
              "elements": {
                "type": "int",
                "min": -5,
                "max": 5
              }
            }
          },
          "i": {
            "type": "packed_int64_array"
          },
          "j": {
            "type": "packed_float32_array"
          },
          "k": {
            "type": "packed_float64_array",
            "packing": {
              "elements": {
                "type": "float",
                "min": 0.0,
                "max": 1.0,
                "packing": {
                  "step": 0.25
                }
              }
            }
          },
          "l": {
            "type": "packed_vector2_array"
          },
          "m": {
            "type": "packed_vector3_array",
            "packing": {
              "elements": {
                "type": "vector3",
                "packing": {
                  "step": 0.05,
                  "from": -20.0,
                  "to": 20.0
                }
              }
            }
          },
          "n": {
            "type": "packed_color_array"
          },
          "o": {
            "type": "array",
            "items": {
              "type": "dict",
              "keys": {
                "slot": {
                  "type": "int",
                  "min": 0,
                  "max": 39
                },
                "count": {
                  "type": "int",
                  "min": 1,
                  "max": 99
                },
                "name": {
                  "type": "string",
                  "max_chars": 4,
                  "optional": true
                }
              },
              "open": false
            },
            "packing": {
              "keyed": "slot"
            }
          },
          "p": {
            "type": "packed_vector4_array"
          },
          "q": {
            "type": "packed_float64_array"
          },
          "r": {
            "type": "array",
            "items": {
              "type": "dict",
              "keys": {
                "id": {
                  "type": "int",
                  "min": -3,
                  "max": 900
                },
                "hot": {
                  "type": "bool"
                }
              },
              "open": false
            },
            "max_size": 60,
            "packing": {
              "keyed": "id"
            }
          },
          "s": {
            "type": "map",
            "key": {
              "type": "int",
              "min": -3,
              "max": 40
            },
            "value": {
              "type": "dict",
              "keys": {
                "a": {
                  "type": "int",
                  "min": 0,
                  "max": 9
                },
                "b": {
                  "type": "bool",
                  "optional": true
                }
              },
              "open": false
            },
            "packing": {
              "keyed": ""
            }
          }
        },
        "open": false
      }
    },
    {
      "name": "choices",
      "id": 10,
      "sender": "server",
      "schema": {
        "schema_version": 1,
        "type": "dict",
        "keys": {
          "a": {
            "type": "enum",
            "values": ["idle", "run", "jump"]
          },
          "b": {
            "type": "enum",
            "values": ["a", "b"],
            "packing": {
              "room_for": 8
            }
          },
          "c": {
            "type": "enum",
            "values": [1, 2, 300]
          },
          "d": {
            "type": "int",
            "min": 0,
            "max": 9,
            "nullable": true
          },
          "e": {
            "type": "string",
            "max_chars": 5,
            "default": "hi"
          },
          "f": {
            "type": "bool",
            "optional": true
          },
          "g": {
            "type": "union",
            "of": [
              {
                "type": "string",
                "max_chars": 4
              },
              {
                "type": "int",
                "min": 0,
                "max": 9
              },
              {
                "type": "bool"
              }
            ]
          },
          "h": {
            "type": "discriminated",
            "by": "kind",
            "cases": [
              {
                "value": "hit",
                "is": {
                  "type": "dict",
                  "keys": {
                    "damage": {
                      "type": "int",
                      "min": 1,
                      "max": 99
                    }
                  },
                  "open": false
                }
              },
              {
                "value": "miss",
                "is": {
                  "type": "dict",
                  "keys": {},
                  "open": false
                }
              }
            ]
          },
          "i": {
            "type": "union",
            "of": [
              {
                "type": "dict",
                "keys": {
                  "t": {
                    "type": "enum",
                    "values": [1]
                  },
                  "x": {
                    "type": "int",
                    "min": 0,
                    "max": 3
                  }
                },
                "open": false
              },
              {
                "type": "dict",
                "keys": {
                  "t": {
                    "type": "enum",
                    "values": [2]
                  },
                  "y": {
                    "type": "bool"
                  }
                },
                "open": false
              }
            ]
          },
          "k": {
            "type": "nil"
          },
          "l": {
            "type": "enum",
            "values": ["only"]
          }
        },
        "open": false
      }
    },
    {
      "name": "tree",
      "id": 11,
      "sender": "server",
      "schema": {
        "schema_version": 1,
        "type": "ref",
        "name": "node",
        "define": {
          "node": {
            "type": "dict",
            "keys": {
              "v": {
                "type": "int",
                "min": 0,
                "max": 9
              },
              "left": {
                "type": "ref",
                "name": "node",
                "nullable": true
              },
              "right": {
                "type": "ref",
                "name": "node",
                "nullable": true
              }
            },
            "open": false
          }
        }
      }
    },
    {
      "name": "any_value",
      "id": 12,
      "sender": "server",
      "schema": {
        "schema_version": 1,
        "type": "dict",
        "keys": {
          "a": {
            "type": "any"
          }
        },
        "open": false
      }
    },
    {
      "name": "bodies",
      "id": 13,
      "sender": "server",
      "schema": {
        "schema_version": 1,
        "type": "dict",
        "keys": {
          "tick": {
            "type": "int",
            "min": 0,
            "max": 4294967295
          },
          "sun": {
            "type": "float",
            "packing": {
              "angle": 32
            }
          },
          "eye": {
            "type": "dict",
            "keys": {
              "turn": {
                "type": "quaternion",
                "packing": {
                  "bits": 9
                }
              },
              "place": {
                "type": "vector3",
                "packing": {
                  "step": 0.25
                },
                "optional": true
              }
            },
            "open": false
          },
          "all": {
            "type": "array",
            "items": {
              "type": "dict",
              "keys": {
                "id": {
                  "type": "int",
                  "min": 0,
                  "max": 60
                },
                "place": {
                  "type": "vector3",
                  "packing": {
                    "step": 0.01,
                    "from": -64.0,
                    "to": 64.0
                  }
                },
                "turn": {
                  "type": "quaternion",
                  "packing": {
                    "bits": 7
                  }
                },
                "frame": {
                  "type": "transform3d",
                  "packing": {
                    "rigid_step": 0.5,
                    "rigid_bits": 8
                  },
                  "optional": true
                },
                "look": {
                  "type": "float",
                  "packing": {
                    "angle": 9
                  }
                },
                "state": {
                  "type": "dict",
                  "keys": {
                    "hp": {
                      "type": "int",
                      "min": 0,
                      "max": 255
                    },
                    "name": {
                      "type": "string",
                      "max_chars": 4,
                      "optional": true
                    }
                  },
                  "open": false
                }
              },
              "open": false
            },
            "max_size": 20,
            "packing": {
              "keyed": "id"
            }
          },
          "marks": {
            "type": "map",
            "key": {
              "type": "int",
              "min": 0,
              "max": 30
            },
            "value": {
              "type": "vector2",
              "packing": {
                "step": 0.1,
                "from": -10.0,
                "to": 10.0
              }
            },
            "max_size": 20,
            "packing": {
              "keyed": ""
            }
          }
        },
        "open": false
      }
    },
    {
      "name": "row",
      "id": 14,
      "sender": "client",
      "rate": 10.0,
      "burst": 10,
      "schema": {
        "schema_version": 1,
        "type": "array",
        "items": {
          "type": "vector2",
          "packing": {
            "step": 0.01,
            "from": -1.0,
            "to": 1.0
          },
          "nullable": true
        },
        "max_size": 200
      }
    },
    {
      "name": "grown",
      "id": 15,
      "sender": "server",
      "schema": {
        "schema_version": 1,
        "type": "dict",
        "keys": {
          "a": {
            "type": "int",
            "min": 0,
            "max": 3
          },
          "o": {
            "type": "bool",
            "optional": true
          },
          "z": {
            "type": "int",
            "min": 0,
            "max": 9,
            "optional": true
          },
          "b": {
            "type": "array",
            "items": {
              "type": "dict",
              "keys": {
                "n": {
                  "type": "int",
                  "min": 0,
                  "max": 300
                },
                "m": {
                  "type": "string",
                  "optional": true
                }
              },
              "open": false,
              "packing": {
                "growing": ["m"]
              }
            },
            "max_size": 9,
            "optional": true
          },
          "c": {
            "type": "int",
            "min": 0,
            "max": 3,
            "default": 1
          },
          "e": {
            "type": "dict",
            "keys": {
              "x": {
                "type": "bool"
              }
            },
            "open": false,
            "packing": {
              "growing": []
            }
          },
          "k": {
            "type": "array",
            "items": {
              "type": "dict",
              "keys": {
                "slot": {
                  "type": "int",
                  "min": 0,
                  "max": 39
                },
                "hp": {
                  "type": "int",
                  "min": 0,
                  "max": 99
                },
                "new": {
                  "type": "float",
                  "optional": true
                }
              },
              "open": false,
              "packing": {
                "growing": ["new"]
              }
            },
            "packing": {
              "keyed": "slot"
            }
          }
        },
        "open": false,
        "packing": {
          "growing": ["z", "b", "c"]
        }
      }
    }
  ]
}
"#;

/// The hash that both sides have to agree on.
pub const PROTOCOL_HASH: u64 = 0x25fb58d40e6ef930;

/// Makes the table of the messages.
pub fn table() -> Result<variant_protocol::Table, variant_protocol::Mistakes> {
    variant_protocol::typed::table(PROTOCOL)
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ints {
    pub a: i8,
    pub b: u32,
    pub c: i64,
    pub d: i64,
    pub e: i64,
    pub f: i64,
    pub g: u16,
    pub h: i64,
    pub i: u8,
    pub j: u8,
    pub k: u8,
    pub l: i64,
    pub m: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Floats {
    pub a: f64,
    pub b: f32,
    pub c: f32,
    pub d: f64,
    pub e: f64,
    pub f: f64,
    pub g: f64,
    pub h: f64,
    pub i: f64,
    pub j: f64,
    pub k: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vectors {
    pub a: variant_serde::Vector2,
    pub b: variant_serde::Vector3,
    pub c: variant_serde::Vector3,
    pub d: variant_serde::Quaternion,
    pub e: variant_serde::Vector2i,
    pub f: variant_serde::Vector3i,
    pub g: variant_serde::Vector3,
    pub h: variant_serde::Vector2,
    pub i: variant_serde::Color,
    pub j: variant_serde::Transform3D,
    pub k: variant_serde::Rect2,
    pub l: variant_serde::Basis,
    pub m: variant_serde::Vector2,
    pub n: variant_serde::Vector4,
    pub o: variant_serde::Vector2,
    pub p: variant_serde::Rect2i,
    pub q: variant_serde::Plane,
    pub r: variant_serde::Aabb,
    pub s: variant_serde::Vector4i,
    pub t: variant_serde::Transform2D,
    pub u: variant_serde::Projection,
    pub v: variant_serde::Vector2,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Texts {
    pub a: String,
    pub b: variant_serde::StringName,
    pub c: variant_serde::NodePath,
    pub d: String,
    pub e: String,
    pub f: variant_serde::PackedStringArray,
    pub g: variant_serde::PackedStringArray,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListsO {
    pub slot: u8,
    pub count: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListsR {
    pub id: i16,
    pub hot: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListsSValue {
    pub a: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lists {
    pub a: Vec<u8>,
    pub b: Vec<u8>,
    pub c: Vec<u8>,
    pub d: Vec<u8>,
    pub e: Vec<u8>,
    pub f: std::collections::BTreeMap<String, u8>,
    pub g: variant_serde::PackedByteArray,
    pub h: variant_serde::PackedInt32Array,
    pub i: variant_serde::PackedInt64Array,
    pub j: variant_serde::PackedFloat32Array,
    pub k: variant_serde::PackedFloat64Array,
    pub l: variant_serde::PackedVector2Array,
    pub m: variant_serde::PackedVector3Array,
    pub n: variant_serde::PackedColorArray,
    pub o: Vec<ListsO>,
    pub p: variant_serde::PackedVector4Array,
    pub q: variant_serde::PackedFloat64Array,
    pub r: Vec<ListsR>,
    pub s: std::collections::BTreeMap<i8, ListsSValue>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ChoicesA {
    #[serde(rename = "idle")]
    Idle,
    #[serde(rename = "run")]
    Run,
    #[serde(rename = "jump")]
    Jump,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ChoicesB {
    #[serde(rename = "a")]
    A,
    #[serde(rename = "b")]
    B,
}

fn default_choices_e() -> String {
    "hi".to_owned()
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChoicesHHit {
    pub damage: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChoicesHMiss {}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
pub enum ChoicesH {
    #[serde(rename = "hit")]
    Hit(ChoicesHHit),
    #[serde(rename = "miss")]
    Miss(ChoicesHMiss),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ChoicesL {
    #[serde(rename = "only")]
    Only,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choices {
    pub a: ChoicesA,
    pub b: ChoicesB,
    pub c: u16,
    pub d: Option<u8>,
    #[serde(default = "default_choices_e")]
    pub e: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub f: Option<bool>,
    pub g: variant_serde::Any,
    pub h: ChoicesH,
    pub i: variant_serde::Any,
    pub k: (),
    pub l: ChoicesL,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    pub v: u8,
    pub left: Option<Box<Tree>>,
    pub right: Option<Box<Tree>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnyValue {
    pub a: variant_serde::Any,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodiesEye {
    pub turn: variant_serde::Quaternion,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<variant_serde::Vector3>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodiesAllState {
    pub hp: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodiesAll {
    pub id: u8,
    pub place: variant_serde::Vector3,
    pub turn: variant_serde::Quaternion,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<variant_serde::Transform3D>,
    pub look: f64,
    pub state: BodiesAllState,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bodies {
    pub tick: u32,
    pub sun: f64,
    pub eye: BodiesEye,
    pub all: Vec<BodiesAll>,
    pub marks: std::collections::BTreeMap<u8, variant_serde::Vector2>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrownB {
    pub n: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub m: Option<String>,
}

fn default_grown_c() -> u8 {
    1
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrownE {
    pub x: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrownK {
    pub slot: u8,
    pub hp: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grown {
    pub a: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub o: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b: Option<Vec<GrownB>>,
    #[serde(default = "default_grown_c")]
    pub c: u8,
    pub e: GrownE,
    pub k: Vec<GrownK>,
}

/// A message that a client may send.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientMessage {
    Row(Vec<Option<variant_serde::Vector2>>),
}

impl Message for ClientMessage {
    const PROTOCOL: &'static str = PROTOCOL;
    const SENDER: variant_protocol::Role = variant_protocol::Role::Client;

    fn id(&self) -> u16 {
        match self {
            ClientMessage::Row(_) => 14,
        }
    }

    fn write(&self) -> Result<Vec<u8>, variant_serde::Error> {
        match self {
            ClientMessage::Row(value) => variant_serde::to_vec(value),
        }
    }

    fn read(id: u16, value: &[u8]) -> Option<Result<ClientMessage, variant_serde::Error>> {
        match id {
            14 => Some(variant_protocol::typed::read(value).map(ClientMessage::Row)),
            _ => None,
        }
    }
}

/// A message that the server may send.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerMessage {
    Ints(Ints),
    Floats(Floats),
    Vectors(Vectors),
    Texts(Texts),
    Lists(Lists),
    Choices(Choices),
    Tree(Tree),
    AnyValue(AnyValue),
    Bodies(Bodies),
    Grown(Grown),
}

impl Message for ServerMessage {
    const PROTOCOL: &'static str = PROTOCOL;
    const SENDER: variant_protocol::Role = variant_protocol::Role::Server;

    fn id(&self) -> u16 {
        match self {
            ServerMessage::Ints(_) => 5,
            ServerMessage::Floats(_) => 6,
            ServerMessage::Vectors(_) => 7,
            ServerMessage::Texts(_) => 8,
            ServerMessage::Lists(_) => 9,
            ServerMessage::Choices(_) => 10,
            ServerMessage::Tree(_) => 11,
            ServerMessage::AnyValue(_) => 12,
            ServerMessage::Bodies(_) => 13,
            ServerMessage::Grown(_) => 15,
        }
    }

    fn write(&self) -> Result<Vec<u8>, variant_serde::Error> {
        match self {
            ServerMessage::Ints(value) => variant_serde::to_vec(value),
            ServerMessage::Floats(value) => variant_serde::to_vec(value),
            ServerMessage::Vectors(value) => variant_serde::to_vec(value),
            ServerMessage::Texts(value) => variant_serde::to_vec(value),
            ServerMessage::Lists(value) => variant_serde::to_vec(value),
            ServerMessage::Choices(value) => variant_serde::to_vec(value),
            ServerMessage::Tree(value) => variant_serde::to_vec(value),
            ServerMessage::AnyValue(value) => variant_serde::to_vec(value),
            ServerMessage::Bodies(value) => variant_serde::to_vec(value),
            ServerMessage::Grown(value) => variant_serde::to_vec(value),
        }
    }

    fn read(id: u16, value: &[u8]) -> Option<Result<ServerMessage, variant_serde::Error>> {
        match id {
            5 => Some(variant_protocol::typed::read(value).map(ServerMessage::Ints)),
            6 => Some(variant_protocol::typed::read(value).map(ServerMessage::Floats)),
            7 => Some(variant_protocol::typed::read(value).map(ServerMessage::Vectors)),
            8 => Some(variant_protocol::typed::read(value).map(ServerMessage::Texts)),
            9 => Some(variant_protocol::typed::read(value).map(ServerMessage::Lists)),
            10 => Some(variant_protocol::typed::read(value).map(ServerMessage::Choices)),
            11 => Some(variant_protocol::typed::read(value).map(ServerMessage::Tree)),
            12 => Some(variant_protocol::typed::read(value).map(ServerMessage::AnyValue)),
            13 => Some(variant_protocol::typed::read(value).map(ServerMessage::Bodies)),
            15 => Some(variant_protocol::typed::read(value).map(ServerMessage::Grown)),
            _ => None,
        }
    }
}
