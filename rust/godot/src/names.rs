//! Names of engine methods that are called by name, made once for the life of the process.

use godot::builtin::StringName;
use once_cell::sync::Lazy;

/// A method's name; only ever a `static`, which is what the engine wants to know of it.
pub(crate) type Name = Lazy<StringName>;

/// `Dictionary.is_typed`, 4.4.
pub(crate) static IS_TYPED: Name = Lazy::new(|| StringName::__cstr_with_static(c"is_typed", true));
/// `Dictionary.assign`, 4.4.
pub(crate) static ASSIGN: Name = Lazy::new(|| StringName::__cstr_with_static(c"assign", true));
/// `Dictionary.duplicate`.
pub(crate) static DUPLICATE: Name = Lazy::new(|| StringName::__cstr_with_static(c"duplicate", true));
/// `NodePath.is_absolute`.
pub(crate) static IS_ABSOLUTE: Name = Lazy::new(|| StringName::__cstr_with_static(c"is_absolute", true));
/// The property of our classes.
pub(crate) static DATA: Name = Lazy::new(|| StringName::__cstr_with_static(c"data", true));
/// `Resource.get_path`.
pub(crate) static GET_PATH: Name = Lazy::new(|| StringName::__cstr_with_static(c"get_path", true));
/// `PackedByteArray.decode_var`.
pub(crate) static DECODE_VAR: Name = Lazy::new(|| StringName::__cstr_with_static(c"decode_var", true));
/// `Array.resize`.
pub(crate) static RESIZE: Name = Lazy::new(|| StringName::__cstr_with_static(c"resize", true));
/// `Basis.is_conformal`.
pub(crate) static IS_CONFORMAL: Name = Lazy::new(|| StringName::__cstr_with_static(c"is_conformal", true));
/// `Basis.determinant`.
pub(crate) static DETERMINANT: Name = Lazy::new(|| StringName::__cstr_with_static(c"determinant", true));
/// `StreamPeerTCP.get_status`, `StreamPeerTLS.get_status`, `PacketPeerDTLS.get_status`.
pub(crate) static GET_STATUS: Name = Lazy::new(|| StringName::__cstr_with_static(c"get_status", true));
/// `StreamPeer.get_available_bytes`.
pub(crate) static GET_AVAILABLE_BYTES: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_available_bytes", true));
/// `StreamPeer.get_partial_data`.
pub(crate) static GET_PARTIAL_DATA: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_partial_data", true));
/// `StreamPeer.put_partial_data`.
pub(crate) static PUT_PARTIAL_DATA: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"put_partial_data", true));
/// `PacketPeer.get_available_packet_count`.
pub(crate) static GET_AVAILABLE_PACKET_COUNT: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_available_packet_count", true));
/// `PacketPeer.get_packet`.
pub(crate) static GET_PACKET: Name = Lazy::new(|| StringName::__cstr_with_static(c"get_packet", true));
/// `PacketPeer.put_packet`.
pub(crate) static PUT_PACKET: Name = Lazy::new(|| StringName::__cstr_with_static(c"put_packet", true));
/// `PacketPeer.get_packet_error`.
pub(crate) static GET_PACKET_ERROR: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_packet_error", true));
/// `WebSocketPeer.get_ready_state`, `WebRTCDataChannel.get_ready_state`.
pub(crate) static GET_READY_STATE: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_ready_state", true));
/// `WebSocketPeer.get_outbound_buffer_size`.
pub(crate) static GET_OUTBOUND_BUFFER_SIZE: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_outbound_buffer_size", true));
/// `WebSocketPeer.get_current_outbound_buffered_amount`.
pub(crate) static GET_CURRENT_OUTBOUND_BUFFERED_AMOUNT: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_current_outbound_buffered_amount", true));
/// `WebSocketPeer.get_max_queued_packets`.
pub(crate) static GET_MAX_QUEUED_PACKETS: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_max_queued_packets", true));
/// `MultiplayerPeer.get_connection_status`.
pub(crate) static GET_CONNECTION_STATUS: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_connection_status", true));
/// `MultiplayerPeer.get_unique_id`.
pub(crate) static GET_UNIQUE_ID: Name = Lazy::new(|| StringName::__cstr_with_static(c"get_unique_id", true));
/// `WebSocketMultiplayerPeer.get_peer`.
pub(crate) static GET_PEER: Name = Lazy::new(|| StringName::__cstr_with_static(c"get_peer", true));
/// `ENetPacketPeer.get_state`.
pub(crate) static GET_STATE: Name = Lazy::new(|| StringName::__cstr_with_static(c"get_state", true));
/// `PacketPeerUDP.is_bound`.
pub(crate) static IS_BOUND: Name = Lazy::new(|| StringName::__cstr_with_static(c"is_bound", true));
/// `PacketPeerStream.get_stream_peer`.
pub(crate) static GET_STREAM_PEER: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_stream_peer", true));
/// `PacketPeerStream.get_output_buffer_max_size`.
pub(crate) static GET_OUTPUT_BUFFER_MAX_SIZE: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_output_buffer_max_size", true));
/// `ProjectSettings.globalize_path`.
pub(crate) static GLOBALIZE_PATH: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"globalize_path", true));
/// `FileAccess.store_buffer`.
pub(crate) static STORE_BUFFER: Name = Lazy::new(|| StringName::__cstr_with_static(c"store_buffer", true));
/// `Array.size`.
pub(crate) static SIZE: Name = Lazy::new(|| StringName::__cstr_with_static(c"size", true));
/// `Array.get_typed_builtin`.
pub(crate) static GET_TYPED_BUILTIN: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_typed_builtin", true));
/// `Dictionary.get_typed_key_builtin`, 4.4.
pub(crate) static GET_TYPED_KEY_BUILTIN: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_typed_key_builtin", true));
/// `Dictionary.get_typed_value_builtin`, 4.4.
pub(crate) static GET_TYPED_VALUE_BUILTIN: Name =
    Lazy::new(|| StringName::__cstr_with_static(c"get_typed_value_builtin", true));
/// `Dictionary.keys`.
pub(crate) static KEYS: Name = Lazy::new(|| StringName::__cstr_with_static(c"keys", true));
/// `Dictionary.values`.
pub(crate) static VALUES: Name = Lazy::new(|| StringName::__cstr_with_static(c"values", true));
/// `is_read_only` of Array and Dictionary.
pub(crate) static IS_READ_ONLY: Name = Lazy::new(|| StringName::__cstr_with_static(c"is_read_only", true));
