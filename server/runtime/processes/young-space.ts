import { setFlagsFromString } from 'node:v8'

// Must be imported first: allocations during the start would make V8 double its young generation five times, and an idle process would keep that memory. This
// module keeps it at its initial size until the process serves.
setFlagsFromString('--semi-space-growth-factor=1')

/** Lets the young generation grow with the load again, as is V8's default. */
export function letYoungSpaceGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}
