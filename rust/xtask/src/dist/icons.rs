//! Checks that an icon is visible against the editor's dark and light theme.

use std::fs;
use std::path::Path;

/// The base colours of the editor's dark and light presets.
const BACKGROUNDS: [&str; 2] = ["#252525", "#e6e6e6"];

/// The contrast that graphical objects need by the Web Content Accessibility Guidelines (WCAG 2.1, 1.4.11).
const CONTRAST: f64 = 3.0;

/// Returns what is wrong with an icon, if anything.
pub(super) fn finding(file: &Path, name: &str) -> Option<String> {
    let Ok(text) = fs::read_to_string(file) else { return Some(format!("there is no icon {name}")) };
    let colours = colours(&text);
    if colours.is_empty() {
        return Some(format!("{name} has no colour"));
    }
    let pairs = colours.iter().flat_map(|colour| BACKGROUNDS.map(|background| (*colour, background)));
    pairs
        .filter_map(|(colour, background)| Some((colour, background, contrast(colour, background)?)))
        .find(|(.., contrast)| *contrast < CONTRAST)
        .map(|(colour, background, contrast)| {
            format!("{name}: {colour} has a contrast of {contrast:.2} on {background}, {CONTRAST} is needed")
        })
}

/// Returns the colours of strokes and fills, as `#rrggbb`.
fn colours(svg: &str) -> Vec<&str> {
    let at = svg.match_indices('#').map(|(at, _)| at);
    at.filter_map(|at| svg.get(at..at + 7)).filter(|colour| luminance(colour).is_some()).collect()
}

/// Returns the contrast of two colours, from 1 (none) to 21 (black on white).
fn contrast(one: &str, other: &str) -> Option<f64> {
    let (one, other) = (luminance(one)?, luminance(other)?);
    Some((one.max(other) + 0.05) / (one.min(other) + 0.05))
}

/// Returns the relative luminance of an sRGB colour, 0 to 1.
fn luminance(colour: &str) -> Option<f64> {
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(colour.get(at..at + 2)?, 16).ok()?) / 255.0;
        Some(if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) })
    };
    Some(0.2126 * channel(1)? + 0.7152 * channel(3)? + 0.0722 * channel(5)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        assert!((contrast("#ffffff", "#000000").unwrap() - 21.0).abs() < 1e-9);
        assert!((contrast("#777777", "#ffffff").unwrap() - 4.48).abs() < 0.01);
        assert_eq!(contrast("#zzzzzz", "#ffffff"), None);
    }

    #[test]
    fn pale_icons_are_found() {
        let folder = std::env::temp_dir().join(format!("variant-icons-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let judge = |svg: &str| {
            let file = folder.join("icon.svg");
            fs::write(&file, svg).unwrap();
            finding(&file, "icon.svg")
        };
        assert!(judge("<path stroke=\"#8eef97\"/>").is_some_and(|text| text.contains("#e6e6e6")));
        assert!(judge("<path/>").is_some());
        assert_eq!(judge("<path stroke=\"#2d9650\"/>"), None);
        fs::remove_dir_all(&folder).unwrap();
        assert!(finding(&folder.join("icon.svg"), "icon.svg").is_some());
    }
}
