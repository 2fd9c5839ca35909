//! Puts refusals into words, and lists all that is wrong with bytes, when somebody asks: both read the bytes once more.

use variant_core::Place;
use variant_pack::Packer;

use crate::call::form::{Call, CallForm, Packing};
use crate::call::packed::transcoded;
use crate::call::problem::Problem;
use crate::call::schema::violations;
use crate::call::settings::Settings;
use crate::call::sniff::Beginning;

impl Call<'_> {
    /// Puts a brief problem into words: the bytes are refused at the same value again.
    #[cold]
    pub(crate) fn explained(&self, bytes: &[u8], problem: Problem) -> Problem {
        if !problem.is_brief() {
            return problem;
        }
        self.all(bytes, 1).ok().and_then(|found| found.into_iter().next()).unwrap_or(problem)
    }

    /// All that the schema and the limits refuse, up to `most`, in the order of the value. A document has said all there is to
    /// say.
    #[cold]
    pub(crate) fn all(&self, bytes: &[u8], most: usize) -> Result<Vec<Problem>, Problem> {
        let (s, held) = match self.form {
            CallForm::Plain | CallForm::Document(_) => return Ok(Vec::new()),
            CallForm::Packed(packing) => return all_of_bits(self.settings, packing, bytes, most),
            CallForm::Schema(held) | CallForm::Judged(held) => (self.settings, held),
        };
        let found = violations(held, bytes, s.rules(), most)?;
        let mut problems: Vec<Problem> = found.iter().map(Problem::of_rejection).collect();
        if let Some(first) = problems.first_mut() {
            first.begins(Beginning::of(bytes, s.rules().dialect));
        }
        Ok(problems)
    }
}

/// All that is wrong with packed bytes, up to `most`, in the order of the value.
#[cold]
fn all_of_bits(
    s: &Settings,
    packing: Packing<'_>,
    bytes: &[u8],
    most: usize,
) -> Result<Vec<Problem>, Problem> {
    let layout = packing.held.layout()?;
    let mut packer = Packer::tagged(packing.kept.tagging);
    packer.is_followed = !s.rules().is_safe();
    let made = match transcoded(&mut packer, layout, packing, bytes, s) {
        Ok(made) => made.to_vec(),
        Err(problem) => return Ok(vec![Problem::of_packing(&problem)]),
    };
    let found = violations(packing.held, &made, s.for_packing().rules(), most)?;
    let problems = found.into_iter().map(|found| {
        // The bits of a difference are no bits of the value.
        let bit = match packing.baseline() {
            None => packer.bit_of(layout, bytes, found.offset()),
            Some(_) => 0,
        };
        Problem::of_rejection(&found.at(Place::Bit(bit)))
    });
    Ok(problems.collect())
}
