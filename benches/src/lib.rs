//! The comparison benchmarks of arx: the same work by several contenders, side by side.
//!
//! A [`case`] says what is done to how many rows. A [`block`] is some calls of one case. The
//! [`measure`] module lets the [`contender`]s run one block after the other, each in a place of its
//! own ([`fixture`]), and checks what they did; [`report`] prints how they compare. Beside the matrix, [`batches`]
//! asks how many rows a statement should have.
//!
//! What needs no server is measured by criterion, in `benches/core.rs`: planning, writing SQL, encoding, decoding.
//!
//! A new contender is one file in [`contenders`] and its line in the list there.

pub mod allocation;
pub mod machine;
pub mod pin;
pub mod statistics;

pub mod customer;
pub mod wide;
pub mod case;
pub mod gate;
pub mod published;

pub mod proxy;
pub mod fixture;

pub mod contender;
pub mod contenders;

pub mod options;
pub mod block;
pub mod measure;
pub mod batches;
pub mod report;
