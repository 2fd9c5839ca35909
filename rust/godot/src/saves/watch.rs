//! Tells a job how far a load or save is, and asks whether it is still wanted. A call that is waited for has no job.

use crate::call::problem::Problem;
use crate::stream::job::Job;

/// The shares of a load that are done when a step begins, of 1: the disk, opening, migrations, the checks that build.
pub(super) const OPENING: f64 = 0.2;
pub(super) const MIGRATING: f64 = 0.5;
pub(super) const BUILDING: f64 = 0.6;
/// The share of a save that is done when it is packed.
pub(super) const PLACING: f64 = 0.5;

#[derive(Clone, Copy, Default)]
pub(crate) struct Watch<'j>(Option<&'j Job>);

impl<'j> Watch<'j> {
    pub(crate) const fn of(job: &'j Job) -> Watch<'j> {
        Watch(Some(job))
    }

    /// Tells the job how far it is. Fails if the job was cancelled.
    pub(super) fn at(self, share: f64) -> Result<(), Problem> {
        let Some(job) = self.0 else { return Ok(()) };
        job.check()?;
        job.is_at(share);
        Ok(())
    }
}
