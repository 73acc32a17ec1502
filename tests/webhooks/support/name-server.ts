import { createSocket, type Socket } from 'node:dgram'

/** DNS answers by host name: one for each successive query, and then the last one repeatedly. */
export type Zone = Map<string, (readonly string[])[]>

const types = { 1: 4, 28: 16 } as const

function parseQuestion(packet: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: packet.readUInt16BE(at + 1), end: at + 5 }
}

/** Converts an address to the bytes of a DNS record. */
function toBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [front = '', back = ''] = address.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [first, last] = [groups(front), groups(back)]
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]))
}

function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(0, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

/** Local name server that can change its answers between queries, as an attacker's name server would. Records have a TTL of 0. */
export class NameServer {
  readonly zone: Zone = new Map()
  readonly asked: string[] = []
  private readonly socket: Socket = createSocket('udp4')
  private readonly queries = new Map<string, number>()

  async open(): Promise<string> {
    this.socket.on('message', (packet, { port, address }) => this.socket.send(this.answer(packet), port, address))
    await new Promise<void>((resolve) => this.socket.bind(0, '127.0.0.1', resolve))
    return `127.0.0.1:${this.socket.address().port}`
  }

  private answer(packet: Buffer): Buffer {
    const { name, type, end } = parseQuestion(packet)
    const question = `${name} ${type}`
    this.asked.push(question)
    const times = this.queries.get(question) ?? 0
    this.queries.set(question, times + 1)
    const answers = this.zone.get(name)
    const addresses = answers?.[Math.min(times, answers.length - 1)] ?? []
    const size = types[type as keyof typeof types]
    const records = addresses.map(toBytes).filter(({ length }) => length === size)
    const head = Buffer.from(packet.subarray(0, 12))
    head.writeUInt16BE(0x8180 | (answers ? 0 : 3), 2)
    head.writeUInt16BE(records.length, 6)
    head.writeUInt16BE(0, 8)
    head.writeUInt16BE(0, 10)
    return Buffer.concat([head, packet.subarray(12, end), ...records.map((data) => record(type, data))])
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.socket.close(() => resolve()))
  }
}
