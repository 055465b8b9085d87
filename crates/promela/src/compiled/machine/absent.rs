//! The place of machine code on processors for which none is made.

use crate::compiled::batch::Batch;
use crate::compiled::eval::ChannelAt;
use crate::compiled::flaw::Flaw;
use crate::compiled::model::Model;

/// There is none.
#[derive(Debug)]
pub(crate) enum Machine {}

/// The code of a location, of which there is none.
#[derive(Debug)]
pub(crate) struct NodeCode {
    pub(crate) atomic: u64,
    pub(crate) first_edge: u32,
    pub(crate) is_whole: bool,
    pub(crate) is_restricted: bool,
    pub(crate) is_passable: bool,
}

/// The code of an edge, of which there is none.
#[derive(Debug)]
pub(crate) struct EffectCode {
    pub(crate) can_leave: bool,
    pub(crate) atomic: bool,
    pub(crate) is_decided: bool,
}

/// What machine code would be told.
pub(crate) struct Frame<'a>(std::marker::PhantomData<&'a [ChannelAt]>);

impl<'a> Frame<'a> {
    pub(crate) fn new(_channels: &'a [ChannelAt], _length: usize, _processes: usize) -> Self {
        Self(std::marker::PhantomData)
    }
}

impl Machine {
    pub(crate) fn new(_model: &Model, _flaw: Option<Flaw>) -> Option<Self> {
        None
    }

    pub(crate) fn translated(&self) -> [usize; 2] {
        match *self {}
    }

    pub(crate) fn node(&self, _bytes: &[u8], _base: usize) -> &NodeCode {
        match *self {}
    }

    pub(crate) fn effect(&self, _edge: usize) -> &EffectCode {
        match *self {}
    }
}

impl NodeCode {
    pub(crate) fn ask(&self, _bytes: &[u8], _base: usize, _pid: usize, _frame: &Frame<'_>) -> Option<u64> {
        None
    }

    pub(crate) fn write(&self, _batch: &mut Batch, _base: usize, _pid: usize, _frame: &Frame<'_>) -> Option<u64> {
        None
    }
}

impl EffectCode {
    pub(crate) fn execute(&self, _bytes: &mut [u8], _base: usize, _pid: usize, _frame: &Frame<'_>) -> bool {
        false
    }
}
