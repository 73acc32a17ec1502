import { setFlagsFromString } from 'node:v8'

// Must be imported first: a start allocates far more than an idle process needs, and V8 would keep that memory. Until the process serves, this module keeps the
// young generation at its initial size, which V8 would double five times, makes V8 collect garbage earlier, and keeps Prisma's
// query compiler unoptimised.
setFlagsFromString('--semi-space-growth-factor=1')
setFlagsFromString('--optimize-for-size')
setFlagsFromString('--liftoff-only')

/** Restores V8's default: memory grows with the load. */
export function letMemoryGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
  setFlagsFromString('--no-optimize-for-size')
  setFlagsFromString('--no-liftoff-only')
}
