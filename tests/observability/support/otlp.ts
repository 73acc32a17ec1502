/** Span as decoded by a collector. */
export type ReceivedSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string
  readonly name: string
  readonly kind: number
  /** Nanoseconds since the Unix epoch. */
  readonly started: bigint
  readonly ended: bigint
  readonly attributes: Record<string, string | number>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  /** Status code; 2 is an error. */
  readonly status: number
}

type Field = { readonly no: number; readonly number: bigint; readonly bytes: Buffer }

function readVarint(bytes: Buffer, from: number): { value: bigint; next: number } {
  let [value, shift, at] = [0n, 0n, from]
  for (; ; at++) {
    const byte = bytes[at] ?? 0
    value |= BigInt(byte & 127) << shift
    shift += 7n
    if (byte < 128) return { value, next: at + 1 }
  }
}

/** Returns the fields of a Protocol Buffers message. Supports the four wire types used by OTLP. */
function* getFields(bytes: Buffer): Generator<Field> {
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at)
    const [no, form] = [Number(tag.value >> 3n), Number(tag.value & 7n)]
    if (form === 0) {
      const { value, next } = readVarint(bytes, tag.next)
      yield { no, number: value, bytes: Buffer.alloc(0) }
      at = next
    } else if (form === 2) {
      const { value, next } = readVarint(bytes, tag.next)
      at = next + Number(value)
      yield { no, number: 0n, bytes: bytes.subarray(next, at) }
    } else {
      const size = form === 1 ? 8 : 4
      yield {
        no,
        number: size === 8 ? bytes.readBigUInt64LE(tag.next) : BigInt(bytes.readUInt32LE(tag.next)),
        bytes: bytes.subarray(tag.next, tag.next + size),
      }
      at = tag.next + size
    }
  }
}

const all = (bytes: Buffer, no: number): Field[] => [...getFields(bytes)].filter((field) => field.no === no)
const bytesAt = (bytes: Buffer, no: number): Buffer => all(bytes, no)[0]?.bytes ?? Buffer.alloc(0)
const numberAt = (bytes: Buffer, no: number): bigint => all(bytes, no)[0]?.number ?? 0n
const hexAt = (bytes: Buffer, no: number): string => bytesAt(bytes, no).toString('hex')

function getAttributes(bytes: Buffer, no: number): Record<string, string | number> {
  return Object.fromEntries(
    all(bytes, no).map(({ bytes: pair }) => {
      const value = bytesAt(pair, 2)
      const [first] = getFields(value)
      return [bytesAt(pair, 1).toString(), first?.no === 1 ? first.bytes.toString() : Number(first?.number ?? 0n)]
    }),
  )
}

const getSpan = (bytes: Buffer): ReceivedSpan => ({
  traceId: hexAt(bytes, 1),
  spanId: hexAt(bytes, 2),
  parentId: hexAt(bytes, 4),
  name: bytesAt(bytes, 5).toString(),
  kind: Number(numberAt(bytes, 6)),
  started: numberAt(bytes, 7),
  ended: numberAt(bytes, 8),
  attributes: getAttributes(bytes, 9),
  links: all(bytes, 13).map(({ bytes: link }) => ({ traceId: hexAt(link, 1), spanId: hexAt(link, 2) })),
  status: Number(numberAt(bytesAt(bytes, 15), 3)),
})

/** Decodes an OTLP ExportTraceServiceRequest by its field numbers. */
export function readTraces(body: Buffer): { spans: ReceivedSpan[]; resource: Record<string, string | number> } {
  const parts = all(body, 1).map(({ bytes }) => bytes)
  const spans = parts.flatMap((part) => all(part, 2).flatMap(({ bytes }) => all(bytes, 2).map((span) => getSpan(span.bytes))))
  return { spans, resource: Object.assign({}, ...parts.map((part) => getAttributes(bytesAt(part, 1), 1))) }
}
