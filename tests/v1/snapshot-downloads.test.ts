import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { storeDaysAgo } from './support/daily-files.ts'
import { onEachMount } from './support/fixture.ts'

onEachMount((fixture) => {
  verifies('snapshots/compression', 'survives clients that disconnect before the file is sent', async () => {
    const day = await storeDaysAgo(fixture, 14, 'sample')
    const { key, keyId } = await fixture.test()
    await fixture.sql('UPDATE key_meter m SET own_minute_limit = 1000 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [keyId])
    const { hostname, port } = new URL(fixture.service.origin)
    for (const delay of [0, 0, 0, 1, 1, 2, 2, 4, 8, 16, 32, 64]) {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(`GET /v1/snapshots/rates?day=${day} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`)
      await sleep(delay)
      socket.destroy()
    }
    await sleep(200)
    expect((await fixture.get('/ping', key)).status).toBe(200)
  })
})
