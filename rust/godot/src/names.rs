//! Holds the names of engine methods that are called by name, made once for the life of the process.

use godot::builtin::StringName;
use once_cell::sync::Lazy;

/// The name of a method. It must be a `static`, as the engine is told.
pub(crate) type Name = Lazy<StringName>;

/// Names `Dictionary.is_typed`, since 4.4.
pub(crate) static IS_TYPED: Name = Lazy::new(|| StringName::__cstr_with_static(c"is_typed", true));
/// Names `Dictionary.assign`, since 4.4.
pub(crate) static ASSIGN: Name = Lazy::new(|| StringName::__cstr_with_static(c"assign", true));
/// Names `Callable.call`.
pub(crate) static CALL: Name = Lazy::new(|| StringName::__cstr_with_static(c"call", true));
/// Names `GDScript.new`.
pub(crate) static NEW: Name = Lazy::new(|| StringName::__cstr_with_static(c"new", true));
/// Names `WeakRef.get_ref`.
pub(crate) static GET_REF: Name = Lazy::new(|| StringName::__cstr_with_static(c"get_ref", true));
/// Names `Dictionary.duplicate`.
pub(crate) static DUPLICATE: Name = Lazy::new(|| StringName::__cstr_with_static(c"duplicate", true));
/// Names `NodePath.is_absolute`.
pub(crate) static IS_ABSOLUTE: Name = Lazy::new(|| StringName::__cstr_with_static(c"is_absolute", true));
/// Names the property `data` of our classes.
pub(crate) static DATA: Name = Lazy::new(|| StringName::__cstr_with_static(c"data", true));
/// Names `Resource.get_path`.
pub(crate) static GET_PATH: Name = Lazy::new(|| StringName::__cstr_with_static(c"get_path", true));
/// Names `PackedByteArray.decode_var`.
pub(crate) static DECODE_VAR: Name = Lazy::new(|| StringName::__cstr_with_static(c"decode_var", true));
/// Names `Array.resize`.
pub(crate) static RESIZE: Name = Lazy::new(|| StringName::__cstr_with_static(c"resize", true));
/// Names `Basis.is_conformal`.
pub(crate) static IS_CONFORMAL: Name = Lazy::new(|| StringName::__cstr_with_static(c"is_conformal", true));
/// Names `Basis.determinant`.
pub(crate) static DETERMINANT: Name = Lazy::new(|| StringName::__cstr_with_static(c"determinant", true));
/// Names `StreamPeerTCP.get_status`, `StreamPeerTLS.get_status`, `PacketPeerDTLS.get_status`.
pub(crate) static GET_STATUS: Name = Lazy::new(|| StringName::__cstr_with_static(c"get_status", true));
/// Names `StreamPeer.get_available_bytes`.
pub(crate) static GET_AVAILABLE_BYTES: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_available_bytes", true));
/// Names `StreamPeer.get_partial_data`.
pub(crate) static GET_PARTIAL_DATA: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_partial_data", true));
/// Names `StreamPeer.put_partial_data`.
pub(crate) static PUT_PARTIAL_DATA: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"put_partial_data", true));
/// Names `PacketPeer.get_available_packet_count`.
pub(crate) static GET_AVAILABLE_PACKET_COUNT: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_available_packet_count", true));
/// Names `PacketPeer.get_packet`.
pub(crate) static GET_PACKET: Name = Lazy::new(|| StringName::__cstr_with_static(c"get_packet", true));
/// Names `PacketPeer.put_packet`.
pub(crate) static PUT_PACKET: Name = Lazy::new(|| StringName::__cstr_with_static(c"put_packet", true));
/// Names `PacketPeer.get_packet_error`.
pub(crate) static GET_PACKET_ERROR: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_packet_error", true));
/// Names `WebSocketPeer.get_ready_state`, `WebRTCDataChannel.get_ready_state`.
pub(crate) static GET_READY_STATE: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_ready_state", true));
/// Names `WebSocketPeer.get_outbound_buffer_size`.
pub(crate) static GET_OUTBOUND_BUFFER_SIZE: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_outbound_buffer_size", true));
/// Names `WebSocketPeer.get_current_outbound_buffered_amount`.
pub(crate) static GET_CURRENT_OUTBOUND_BUFFERED_AMOUNT: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_current_outbound_buffered_amount", true));
/// Names `WebSocketPeer.get_max_queued_packets`.
pub(crate) static GET_MAX_QUEUED_PACKETS: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_max_queued_packets", true));
/// Names `MultiplayerPeer.get_connection_status`.
pub(crate) static GET_CONNECTION_STATUS: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_connection_status", true));
/// Names `MultiplayerPeer.get_unique_id`.
pub(crate) static GET_UNIQUE_ID: Name = Lazy::new(|| StringName::__cstr_with_static(c"get_unique_id", true));
/// Names `WebSocketMultiplayerPeer.get_peer`.
pub(crate) static GET_PEER: Name = Lazy::new(|| StringName::__cstr_with_static(c"get_peer", true));
/// Names `ENetPacketPeer.get_state`.
pub(crate) static GET_STATE: Name = Lazy::new(|| StringName::__cstr_with_static(c"get_state", true));
/// Names `PacketPeerUDP.is_bound`.
pub(crate) static IS_BOUND: Name = Lazy::new(|| StringName::__cstr_with_static(c"is_bound", true));
/// Names `PacketPeerStream.get_stream_peer`.
pub(crate) static GET_STREAM_PEER: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_stream_peer", true));
/// Names `PacketPeerStream.get_output_buffer_max_size`.
pub(crate) static GET_OUTPUT_BUFFER_MAX_SIZE: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_output_buffer_max_size", true));
/// Names `ProjectSettings.globalize_path`.
pub(crate) static GLOBALIZE_PATH: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"globalize_path", true));
/// Names `FileAccess.store_buffer`.
pub(crate) static STORE_BUFFER: Name = Lazy::new(|| StringName::__cstr_with_static(c"store_buffer", true));
/// Names `Array.get_typed_builtin`.
pub(crate) static GET_TYPED_BUILTIN: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_typed_builtin", true));
/// Names `Dictionary.get_typed_key_builtin`, since 4.4.
pub(crate) static GET_TYPED_KEY_BUILTIN: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_typed_key_builtin", true));
/// Names `Dictionary.get_typed_value_builtin`, since 4.4.
pub(crate) static GET_TYPED_VALUE_BUILTIN: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_typed_value_builtin", true));
/// Names `is_read_only` of Array and Dictionary.
pub(crate) static IS_READ_ONLY: Name = Lazy::new(|| StringName::__cstr_with_static(c"is_read_only", true));
