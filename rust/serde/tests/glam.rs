//! Checks types of glam's: byte for byte what the engine writes for its own, where the numbers mean the same.

use std::fmt::Debug;

use crate::engine::Rows;
use glam_0_34::*;
use serde::{Deserialize, Serialize};
use variant_serde::Vector3;
use variant_serde::glam::{Glam, Packed};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(bound = "T: Glam")]
struct Only<T: Glam>(#[serde(with = "variant_serde::glam")] T);

#[track_caller]
fn row<T: Glam + PartialEq + Debug>(rows: &mut Rows, name: &str, value: T) {
    let bytes = rows.take(name);
    let value = Only(value);
    assert_eq!(variant_serde::to_vec(&value).unwrap(), bytes, "{name} is written otherwise");
    assert_eq!(variant_serde::from_slice::<Only<T>>(&bytes).unwrap(), value, "{name} is read otherwise");
}

#[test]
fn glams_types_are_godots() {
    let rows = &mut Rows::read();
    row(rows, "vector2", vec2(1.5, -2.0));
    row(rows, "vector2i", ivec2(3, -4));
    row(rows, "vector3", vec3(1.0, 2.0, 3.0));
    row(&mut Rows::read(), "vector3", vec3a(1.0, 2.0, 3.0));
    row(rows, "vector3i", ivec3(1, 2, 3));
    row(rows, "vector4", vec4(1.0, 2.0, 3.0, 4.0));
    row(rows, "vector4i", ivec4(1, 2, 3, 4));
    row(rows, "quaternion", quat(0.0, 0.0, 0.6, 0.8));
    let columns = [vec3(1.0, 4.0, 7.0), vec3(2.0, 5.0, 8.0), vec3(3.0, 6.0, 9.0)];
    let [x, y, z] = columns;
    row(rows, "basis", Mat3::from_cols(x, y, z));
    row(&mut Rows::read(), "basis", Mat3A::from_cols(x.into(), y.into(), z.into()));
    row(
        rows,
        "transform3d",
        Affine3A::from_mat3_translation(Mat3::from_cols(x, y, z), vec3(10.0, 11.0, 12.0)),
    );
    row(rows, "transform2d", Affine2::from_cols(vec2(1.0, 2.0), vec2(3.0, 4.0), vec2(5.0, 6.0)));
    let column = |first: f32| vec4(first, first + 1.0, first + 2.0, first + 3.0);
    row(rows, "projection", Mat4::from_cols(column(1.0), column(5.0), column(9.0), column(13.0)));
    row(rows, "null", None::<Vec3>);
    row(&mut Rows::read(), "vector3", Some(vec3(1.0, 2.0, 3.0)));
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(bound = "T: Packed")]
struct Many<T: Packed>(#[serde(with = "variant_serde::glam::packed")] Vec<T>);

#[test]
fn packed_arrays_are_asked_for() {
    #[track_caller]
    fn row<T: Packed + PartialEq + Debug>(rows: &mut Rows, name: &str, value: Vec<T>) {
        let (bytes, value) = (rows.take(name), Many(value));
        assert_eq!(variant_serde::to_vec(&value).unwrap(), bytes, "{name} is written otherwise");
        assert_eq!(variant_serde::from_slice::<Many<T>>(&bytes).unwrap(), value, "{name} is read otherwise");
    }
    let rows = &mut Rows::read();
    row(rows, "packed_vector2_array", vec![vec2(1.0, 2.0), vec2(3.0, 4.0)]);
    row(rows, "packed_vector3_array", vec![vec3(1.0, 2.0, 3.0)]);
    row(rows, "packed_vector4_array", vec![vec4(1.0, 2.0, 3.0, 4.0)]);
    row(rows, "packed_empty", Vec::<Vec3>::new());
}

/// A list of glam's is written as one of ours, and reads what that reads.
#[test]
fn a_list_is_what_a_list_of_ours_is() {
    let theirs = Only(vec![Vec3::X, Vec3::Y]);
    let ours: Vec<Vector3> = vec![Vector3::new(1.0, 0.0, 0.0), Vector3::new(0.0, 1.0, 0.0)];
    let bytes = variant_serde::to_vec(&theirs).unwrap();
    assert_eq!(bytes, variant_serde::to_vec(&ours).unwrap());
    assert_eq!(variant_serde::from_slice::<Only<Vec<Vec3>>>(&bytes).unwrap(), theirs);
    let packed = variant_serde::to_vec(&Many(theirs.0.clone())).unwrap();
    assert_eq!(variant_serde::from_slice::<Only<Vec<Vec3>>>(&packed).unwrap(), theirs);
    let turns = Only(vec![Quat::IDENTITY]);
    let bytes = variant_serde::to_vec(&turns).unwrap();
    assert_eq!(variant_serde::from_slice::<Only<Vec<Quat>>>(&bytes).unwrap(), turns);
}

/// A point that GDScript's basis moves, glam's matrix moves to the same place: `basis * Vector3(1, 0, 0)`
/// is its first column.
#[test]
fn a_matrix_means_the_same() {
    let Only(basis) = variant_serde::from_slice::<Only<Mat3>>(&Rows::read().take("basis")).unwrap();
    assert_eq!(basis * Vec3::X, vec3(1.0, 4.0, 7.0));
}

/// Doubles are written as builds of double precision do.
#[test]
fn doubles_are_wide() {
    let at = Only(dvec3(0.1, 0.2, 0.3));
    let bytes = variant_serde::to_vec(&at).unwrap();
    assert_eq!(bytes.len(), 28);
    assert_eq!(variant_serde::from_slice::<Only<DVec3>>(&bytes).unwrap(), at);
    let turn = Only(DQuat::IDENTITY);
    assert_eq!(
        variant_serde::from_slice::<Only<DQuat>>(&variant_serde::to_vec(&turn).unwrap()).unwrap(),
        turn
    );
}

/// Each version of glam is converted by a feature of its own, beside the others.
#[test]
fn versions_of_glam_stand_beside_each_other() {
    let bytes = variant_serde::to_vec(&Only(glam_0_29::Vec3::new(1.0, 2.0, 3.0))).unwrap();
    assert_eq!(bytes, Rows::read().take("vector3"));
    assert_eq!(variant_serde::from_slice::<Only<Vec3>>(&bytes).unwrap(), Only(vec3(1.0, 2.0, 3.0)));
    let turns = [glam_0_29::IVec2::new(3, -4)];
    assert_eq!(turns[0].to_godot(), ivec2(3, -4).to_godot());
}
