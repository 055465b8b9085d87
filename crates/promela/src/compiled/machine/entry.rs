//! Calls of generated code: the only unsafe code of the compiled model.
//!
//! *Why unsafe.* Machine code is called through a pointer and reads and writes memory without the checks of a slice.
//! Decision 0016 has the measurements that justify it.
//!
//! *Why safe.* A function that [`translate`](super::translate) makes for a definition touches five regions:
//!
//! 1. the first `globals_size` bytes of the state, and the bytes of the process from its start to its size, at offsets that
//!    the layout fixes or, behind an index, at elements whose index it has compared with the length of the array.
//!    [`Entry::fits`] compares both regions with the length of the slice;
//! 2. channels: those at fixed offsets belong to the global part; the place of any other comes from the table of channels,
//!    and the code compares its end with the length of the state;
//! 3. the table of channels, at an index that the code compares with its length;
//! 4. the frame, which is a reference;
//! 5. a [`Batch`], for code that writes successors: it has room for as many as a location with code has edges, each with
//!    the length of the state rounded up to whole pieces, and its copy of the state has this length, too.
//!
//! Code of guards only reads, so that it is called with a shared slice; code of an effect is called with an exclusive one. The
//! memory of the code lives as long as the [`Machine`](super::Machine) that owns it, and only that hands out entries.
//! Nothing is written to it after it was made, so that several threads may call it.
#![allow(unsafe_code, reason = "see the text of the module")]

use crate::compiled::batch::{self, Batch};
use crate::compiled::eval::ChannelAt;
use cranelift_jit::JITModule;
use std::mem::{ManuallyDrop, offset_of};
use std::ptr::null_mut;
use std::sync::Mutex;

/// What generated code is told about a state besides its bytes.
#[repr(C)]
pub(crate) struct Frame<'a> {
    channels: *const ChannelAt,
    channel_count: usize,
    length: usize,
    /// The distance between two successors in a [`Batch`].
    stride: usize,
    processes: u32,
    lifetime: std::marker::PhantomData<&'a [ChannelAt]>,
}

pub(super) const FRAME_CHANNELS: i32 = offset_of!(Frame<'static>, channels) as i32;
pub(super) const FRAME_CHANNEL_COUNT: i32 = offset_of!(Frame<'static>, channel_count) as i32;
pub(super) const FRAME_LENGTH: i32 = offset_of!(Frame<'static>, length) as i32;
pub(super) const FRAME_STRIDE: i32 = offset_of!(Frame<'static>, stride) as i32;
pub(super) const FRAME_PROCESSES: i32 = offset_of!(Frame<'static>, processes) as i32;
pub(super) const CHANNEL_STRIDE: i64 = size_of::<ChannelAt>() as i64;
pub(super) const CHANNEL_OFFSET: i32 = offset_of!(ChannelAt, offset) as i32;
pub(super) const CHANNEL_LAYOUT: i32 = offset_of!(ChannelAt, layout) as i32;

impl<'a> Frame<'a> {
    /// The frame of a state of this length.
    #[inline]
    pub(crate) fn new(channels: &'a [ChannelAt], length: usize, processes: usize) -> Self {
        Self {
            channels: channels.as_ptr(),
            channel_count: channels.len(),
            length,
            stride: batch::stride(length),
            processes: u32::try_from(processes).unwrap_or(u32::MAX),
            lifetime: std::marker::PhantomData,
        }
    }
}

/// The type of all generated functions. Their arguments are the state, the process in it, its number, the frame, and the
/// place for successors.
type Function = unsafe extern "C" fn(*mut u8, *mut u8, u32, *const Frame<'_>, *mut u8) -> u64;

/// A generated function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    function: Function,
    /// The bytes before the first process.
    globals: u32,
    /// The bytes of the process.
    process: u32,
}

impl Entry {
    /// The function at an address that a finished module gave for it.
    ///
    /// # Safety
    /// The address is that of a function made by [`translate`](super::translate) for a definition whose instances have
    /// `process` bytes, behind at least `globals` bytes.
    unsafe fn new(address: *const u8, globals: u32, process: u32) -> Self {
        // SAFETY: as above; the translator gives every function the signature of `Function`.
        Self { function: unsafe { std::mem::transmute::<*const u8, Function>(address) }, globals, process }
    }

    /// Whether the function may be called for a process that starts there.
    #[inline]
    fn fits(&self, length: usize, base: usize, frame: &Frame<'_>) -> bool {
        base >= self.globals as usize && base + self.process as usize <= length && frame.length <= length
    }

    /// Calls code of guards; none if the process does not lie inside the state.
    #[inline]
    pub(super) fn ask(&self, bytes: &[u8], base: usize, pid: usize, frame: &Frame<'_>) -> Option<u64> {
        if !self.fits(bytes.len(), base, frame) {
            return None;
        }
        let start = bytes.as_ptr().cast_mut();
        // SAFETY: the regions were compared; code of guards does not write.
        Some(unsafe { (self.function)(start, start.add(base), pid as u32, frame, null_mut()) })
    }

    /// Calls code of an effect; none if the process does not lie inside the state.
    #[inline]
    pub(super) fn execute(&self, bytes: &mut [u8], base: usize, pid: usize, frame: &Frame<'_>) -> Option<u64> {
        if !self.fits(bytes.len(), base, frame) {
            return None;
        }
        let start = bytes.as_mut_ptr();
        // SAFETY: the regions were compared, and the slice is exclusive.
        Some(unsafe { (self.function)(start, start.add(base), pid as u32, frame, null_mut()) })
    }

    /// Calls code that writes successors into a batch; none if the process does not lie inside the state.
    #[inline]
    pub(super) fn write(&self, batch: &mut Batch, base: usize, pid: usize, frame: &Frame<'_>) -> Option<u64> {
        let (parent, successors) = batch.parts(frame.length)?;
        if !self.fits(frame.length, base, frame) {
            return None;
        }
        let start = parent.as_ptr().cast_mut();
        // SAFETY: the regions were compared, this code does not write to the state, and a batch has room for whole pieces.
        Some(unsafe { (self.function)(start, start.add(base), pid as u32, frame, successors.as_mut_ptr()) })
    }
}

/// The memory of generated code.
pub(super) struct Memory(ManuallyDrop<Mutex<JITModule>>);

impl Memory {
    /// Keeps a module whose functions are finished.
    pub(super) fn new(module: JITModule) -> Self {
        Self(ManuallyDrop::new(Mutex::new(module)))
    }

    /// The entry of a function of this module.
    pub(super) fn entry(&self, function: cranelift_module::FuncId, globals: u32, process: u32) -> Entry {
        let module = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // SAFETY: the machine makes entries with the sizes of the definition for which it made the function.
        unsafe { Entry::new(module.get_finalized_function(function), globals, process) }
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memory")
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: taken once, here. The entries belong to the same machine, and nobody calls them any more.
        unsafe {
            let module = ManuallyDrop::take(&mut self.0);
            module.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).free_memory();
        }
    }
}
