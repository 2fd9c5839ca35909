//! Holds the names of engine methods that are called by name, made once for the life of the process.

use godot::builtin::StringName;
use once_cell::sync::Lazy;

/// The name of a method. It must be a `static`, as the engine is told.
pub(crate) type Name = Lazy<StringName>;

macro_rules! names {
    ($($name:ident $text:literal;)*) => {
        $(pub(crate) static $name: Name = Lazy::new(|| StringName::__cstr_with_static($text, true));)*
    };
}

names! {
    IS_TYPED c"is_typed"; // Dictionary.is_typed, since 4.4
    ASSIGN c"assign"; // Dictionary.assign, since 4.4
    CALL c"call"; // Callable.call
    NEW c"new"; // GDScript.new
    GET_REF c"get_ref"; // WeakRef.get_ref
    DUPLICATE c"duplicate"; // Dictionary.duplicate
    IS_ABSOLUTE c"is_absolute"; // NodePath.is_absolute
    GET_PATH c"get_path"; // Resource.get_path
    DECODE_VAR c"decode_var"; // PackedByteArray.decode_var
    RESIZE c"resize"; // Array.resize
    IS_CONFORMAL c"is_conformal"; // Basis.is_conformal
    DETERMINANT c"determinant"; // Basis.determinant
    GET_STATUS c"get_status"; // StreamPeerTCP.get_status, StreamPeerTLS.get_status, PacketPeerDTLS.get_status
    GET_AVAILABLE_BYTES c"get_available_bytes"; // StreamPeer.get_available_bytes
    GET_PARTIAL_DATA c"get_partial_data"; // StreamPeer.get_partial_data
    PUT_PARTIAL_DATA c"put_partial_data"; // StreamPeer.put_partial_data
    GET_AVAILABLE_PACKET_COUNT c"get_available_packet_count"; // PacketPeer.get_available_packet_count
    GET_PACKET c"get_packet"; // PacketPeer.get_packet
    PUT_PACKET c"put_packet"; // PacketPeer.put_packet
    GET_PACKET_ERROR c"get_packet_error"; // PacketPeer.get_packet_error
    GET_READY_STATE c"get_ready_state"; // WebSocketPeer.get_ready_state, WebRTCDataChannel.get_ready_state
    GET_OUTBOUND_BUFFER_SIZE c"get_outbound_buffer_size"; // WebSocketPeer.get_outbound_buffer_size
    GET_CURRENT_OUTBOUND_BUFFERED_AMOUNT c"get_current_outbound_buffered_amount"; // WebSocketPeer
    GET_MAX_QUEUED_PACKETS c"get_max_queued_packets"; // WebSocketPeer.get_max_queued_packets
    GET_CONNECTION_STATUS c"get_connection_status"; // MultiplayerPeer.get_connection_status
    GET_UNIQUE_ID c"get_unique_id"; // MultiplayerPeer.get_unique_id
    GET_PEER c"get_peer"; // WebSocketMultiplayerPeer.get_peer
    GET_STATE c"get_state"; // ENetPacketPeer.get_state
    IS_BOUND c"is_bound"; // PacketPeerUDP.is_bound
    GET_STREAM_PEER c"get_stream_peer"; // PacketPeerStream.get_stream_peer
    GET_OUTPUT_BUFFER_MAX_SIZE c"get_output_buffer_max_size"; // PacketPeerStream.get_output_buffer_max_size
    GLOBALIZE_PATH c"globalize_path"; // ProjectSettings.globalize_path
    STORE_BUFFER c"store_buffer"; // FileAccess.store_buffer
    GET_TYPED_BUILTIN c"get_typed_builtin"; // Array.get_typed_builtin
    GET_TYPED_KEY_BUILTIN c"get_typed_key_builtin"; // Dictionary.get_typed_key_builtin, since 4.4
    GET_TYPED_VALUE_BUILTIN c"get_typed_value_builtin"; // Dictionary.get_typed_value_builtin, since 4.4
    IS_READ_ONLY c"is_read_only"; // is_read_only of Array and Dictionary
}
