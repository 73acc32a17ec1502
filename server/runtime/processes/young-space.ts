import { setFlagsFromString } from 'node:v8'

// Imported before anything else: what a start leaves behind would double V8's space for young objects five times, and an idle process would hold that
// memory for good. So it stays as small as it begins, until the process serves.
setFlagsFromString('--semi-space-growth-factor=1')

/** From now on the space grows with what calls need, as V8 has it by default. */
export function letYoungSpaceGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}
