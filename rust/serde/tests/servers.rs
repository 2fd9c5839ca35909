//! Runs the example servers with many clients and hostile ones among them; and streams in pieces, without a
//! server.
#![cfg(feature = "tokio")]

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::codec::{Decoder, Framed};
use variant_serde::*;

#[path = "../examples/tcp_server.rs"]
#[expect(unreachable_pub, reason = "it is an example of its own")]
mod tcp_server;
#[path = "../examples/udp_server.rs"]
#[expect(unreachable_pub, reason = "it is an example of its own")]
mod udp_server;

use tcp_server::{Ack, Move};

/// Returns the messages of hostile clients, each of whom sends one over and over: claims, garbage, lengths
/// over the limit, messages that never end.
fn attacks() -> Vec<Vec<u8>> {
    let framed = |bytes: &[u8]| {
        let length = u32::try_from(bytes.len()).unwrap().to_le_bytes();
        [&length[..], bytes].concat()
    };
    let deep: Vec<u8> = [28, 0, 0, 0, 1, 0, 0, 0].repeat(100);
    vec![
        framed(&[0x1c, 0, 0, 0, 0x00, 0x94, 0x35, 0x77]),
        framed(&[99, 0, 0, 0]),
        framed(&deep),
        framed(&to_vec("hello").unwrap()),
        framed(&to_vec(&(1, 2)).unwrap()),
        [&0xFFFF_FFFF_u32.to_le_bytes()[..], &[7; 100]].concat(),
        [&1000_u32.to_le_bytes()[..], &[27, 0, 0, 0]].concat(),
    ]
}

async fn play(address: std::net::SocketAddr) {
    let stream = TcpStream::connect(address).await.unwrap();
    let mut messages = Framed::new(stream, Codec::<Ack>::new(tcp_server::rules()));
    for seq in 0..50 {
        let step = Move { seq, at: Vector3::new(0.0, seq as f32, 0.0) };
        messages.send(&step).await.unwrap();
        let answer = messages.next().await.unwrap().unwrap().unwrap();
        assert_eq!(answer, Ack { ack: seq, height: seq as f32 });
    }
}

/// Sends what is hostile until the server lets go, or for some thousand messages.
async fn attack(address: std::net::SocketAddr, message: Vec<u8>) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    for _ in 0..2000 {
        if stream.write_all(&message).await.is_err() {
            return;
        }
    }
    let _ = stream.shutdown().await;
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest).await;
    assert!(rest.is_empty(), "a hostile client was answered");
}

#[tokio::test(flavor = "current_thread")]
async fn everybody_is_served_among_hostile_clients() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(tcp_server::serve(listener));
    let hostile: Vec<_> =
        attacks().into_iter().map(|message| tokio::spawn(attack(address, message))).collect();
    let clients: Vec<_> = (0..20).map(|_| tokio::spawn(play(address))).collect();
    let all = async {
        for client in clients.into_iter().chain(hostile) {
            client.await.unwrap();
        }
    };
    tokio::time::timeout(Duration::from_secs(60), all).await.expect("somebody was not served");
}

#[test]
fn datagrams_are_answered_among_hostile_ones() {
    let server = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = server.local_addr().unwrap();
    std::thread::spawn(move || udp_server::serve(&server));
    let client = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    client.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let hostile = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    for seq in 0..50 {
        for attack in attacks().iter().chain([&vec![27; 2000]]) {
            hostile.send_to(attack, address).unwrap();
        }
        let step = udp_server::Move { seq, at: Vector3::new(0.0, 2.0, 0.0) };
        client.send_to(&to_vec(&step).unwrap(), address).unwrap();
        let mut answer = [0; 512];
        let (count, _) = client.recv_from(&mut answer).unwrap();
        let answer: udp_server::Ack = from_slice(&answer[..count]).unwrap();
        assert_eq!(answer, udp_server::Ack { ack: seq, height: 2.0 });
    }
    hostile.set_nonblocking(true).unwrap();
    assert!(hostile.recv_from(&mut [0; 8]).is_err(), "a hostile client was answered");
}

/// A stream cut anywhere gives the same messages and refusals, framed in every way.
#[test]
fn a_stream_is_read_however_it_is_cut() {
    let writing = Writing::default();
    for framing in [Framing::U32, Framing::U32Be] {
        let mut wire = Vec::new();
        for seq in 0..5 {
            write_framed(framing, &Move { seq, at: Vector3::default() }, &mut wire, &writing).unwrap();
            write_framed(framing, "no move", &mut wire, &writing).unwrap();
        }
        for piece in [1, 3, 7, 64, wire.len()] {
            let mut reader = FrameReader::<Move>::new(framing, tcp_server::rules());
            let (mut moves, mut refused) = (Vec::new(), 0);
            for mut piece in wire.chunks(piece) {
                loop {
                    match reader.next(&mut piece) {
                        Ok(step) => moves.push(step.seq),
                        Err(Stop::Rejected(error)) => {
                            refused += 1;
                            assert_eq!(
                                error.to_string(),
                                "(root): expected struct Move, got String (byte 0)"
                            );
                        }
                        Err(Stop::NeedMore { .. }) => break,
                        Err(other) => panic!("{other}"),
                    }
                }
            }
            assert_eq!((moves, refused), (vec![0, 1, 2, 3, 4], 5), "pieces of {piece}");
            assert!(reader.is_between());
        }
    }
}

/// Without lengths values stand back to back; what the type refuses is passed over, what the codec refuses
/// ends the stream.
#[test]
fn values_back_to_back_are_read() {
    let mut wire = [to_vec(&1).unwrap(), to_vec("x").unwrap(), to_vec(&2).unwrap()].concat();
    wire.extend([99, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
    let mut reader = FrameReader::<i64>::new(Framing::None, Rules::default());
    let mut rest = wire.as_slice();
    assert_eq!(reader.next(&mut rest), Ok(1));
    assert!(matches!(reader.next(&mut rest), Err(Stop::Rejected(_))));
    assert_eq!(reader.value_at(), 8);
    assert_eq!(reader.next(&mut rest), Ok(2));
    for _ in 0..3 {
        let Err(Stop::Broken(error)) = reader.next(&mut rest) else { panic!("it cannot be read on") };
        assert_eq!(error.kind(), &Cause::Format(variant_core::ErrorKind::UnknownType { id: 99 }));
    }
    let mut reader = FrameReader::<i64>::new(Framing::None, Rules::default());
    reader.close();
    assert_eq!(reader.next(&mut &to_vec(&1).unwrap()[..]), Ok(1));
    assert_eq!(reader.next(&mut &[][..]), Err(Stop::End));
}

/// A connection that ends within a message is told, and one that ends between two is over.
#[test]
fn the_end_of_a_connection_is_told() {
    let mut codec = Codec::<i64>::new(Rules::default());
    let mut wire = bytes::BytesMut::from(&[8, 0, 0, 0, 2, 0, 0, 0][..]);
    assert!(matches!(codec.decode(&mut wire), Ok(None)));
    assert!(matches!(codec.decode_eof(&mut wire), Err(TransportError::CutOff)));
    wire.extend_from_slice(&[7, 0, 0, 0]);
    assert!(matches!(codec.decode_eof(&mut wire), Ok(Some(Ok(7)))));
    assert!(matches!(codec.decode_eof(&mut wire), Ok(None)));
    let mut output = bytes::BytesMut::new();
    let unwritable = tokio_util::codec::Encoder::encode(&mut codec, &u64::MAX, &mut output);
    assert!(matches!(unwritable, Err(TransportError::Unwritable(_))) && output.is_empty());
}
