/** Runs the documented signature checks, each in its language, on the service's signatures. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import { signatureAgeSeconds } from '#server/api/contract/webhooks.ts'
import { newSigningSecret, sign } from '#server/webhooks/signature.ts'
import { blocksIn } from '../docs/support/docs-text.ts'
import { isInstalled } from '../docs/support/programs.ts'
import { verifies } from '../requirements/verifies.ts'

const guide = readFileSync(join(import.meta.dirname, '../../content/guides/webhooks.md'), 'utf8')
const texts = new Map([['/docs/webhooks', guide.replaceAll('{{signatureAgeSeconds}}', String(signatureAgeSeconds))]])
const folder = mkdtempSync(join(tmpdir(), 'svc-webhook-check-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Case = {
  readonly what: string
  readonly body: string
  readonly header: string
  readonly secret: string
  readonly now: number
  readonly isGenuine: boolean
}

const now = 1_800_000_000
const [secret, older] = [newSigningSecret(), newSigningSecret()]
const body = '{"id":"evt_1","type":"rate.changed","createdAt":"2026-11-21T09:00:00.000Z","attempt":1,"data":{"accountName":"Zoë’s £4.50 Saver"}}'
const signed = (age = 0, secrets = [secret], text = body) => sign(text, secrets, (now - age) * 1_000)

function makeCases(): Case[] {
  const one = (what: string, isGenuine: boolean, changes: Partial<Case> = {}): Case => ({ what, body, header: signed(), secret, now, isGenuine, ...changes })
  const header = signed()
  const changedBodies = Array.from(body, (_, at) => `${body.slice(0, at)}${body[at] === 'x' ? 'y' : 'x'}${body.slice(at + 1)}`)
  return [
    one('a valid signature', true),
    one('the newer of two secrets', true, { header: signed(0, [secret, older]) }),
    one('the older of two secrets', true, { header: signed(0, [secret, older]), secret: older }),
    one('an expired secret', false, { secret: older }),
    ...[0, 1, signatureAgeSeconds].flatMap((age) => [age, -age]).map((age) => one(`${age} s old`, true, { header: signed(age) })),
    ...[1, 60, 86_400].map((more) => one(`${more} s too old`, false, { header: signed(signatureAgeSeconds + more) })),
    ...[1, 60, 86_400].map((more) => one(`${more} s too far in the future`, false, { header: signed(-signatureAgeSeconds - more) })),
    ...changedBodies.map((changed, at) => one(`character ${at} changed`, false, { body: changed })),
    one('a reserialised body', false, { body: JSON.stringify(JSON.parse(body), null, 1) }),
    one('an empty body', false, { body: '' }),
    ...Array.from(header, (_, at) => one(`header without character ${at}`, false, { header: header.slice(0, at) + header.slice(at + 1) })),
    ...['', 't=', 'v1=', `t=${now}`, `t=${now},v1=`, header.replace('v1', 'v0'), header.replace('t=', 't=x')].map((bad) =>
      one(`"${bad}"`, false, { header: bad }),
    ),
  ]
}

type Language = {
  readonly name: string
  /** Program required to run the check; omitted for Node, which is always available. */
  readonly needs?: Parameters<typeof isInstalled>[0]
  readonly program: (code: string) => { file: string; text: string }[]
  readonly command: string[]
}

/** Programs that read test cases from stdin and print the results of the documented check. */
const languages: Language[] = [
  {
    name: 'js',
    program: (code) => [
      { file: 'check.mjs', text: code },
      {
        file: 'main.mjs',
        text: `import { readFileSync } from 'node:fs'\nimport { isGenuine } from './check.mjs'
const cases = JSON.parse(readFileSync(0, 'utf8'))\nconsole.log(JSON.stringify(cases.map((one) => isGenuine(one.body, one.header, one.secret, one.now))))`,
      },
    ],
    command: [process.execPath, 'main.mjs'],
  },
  {
    name: 'python',
    needs: 'python3',
    program: (code) => [
      { file: 'check.py', text: code },
      {
        file: 'main.py',
        text: `import json, sys\nfrom check import is_genuine\ncases = json.load(sys.stdin)\nprint(json.dumps([is_genuine(c["body"].encode(), c["header"], c["secret"], c["now"]) for c in cases]))`,
      },
    ],
    command: ['python3', 'main.py'],
  },
  {
    name: 'go',
    needs: 'go',
    program: (code) => [
      { file: 'go.mod', text: 'module webhook\n' },
      { file: 'check.go', text: code.replace('package webhook', 'package main') },
      {
        file: 'main.go',
        text: `package main\nimport ("encoding/json"; "fmt"; "os"; "time")\ntype one struct { Body, Header, Secret string; Now int64 }
func main() {\nvar cases []one\nif err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil { panic(err) }\nresults := []bool{}
for _, c := range cases { results = append(results, IsGenuine([]byte(c.Body), c.Header, c.Secret, time.Unix(c.Now, 0))) }\nout, _ := json.Marshal(results)\nfmt.Println(string(out))\n}`,
      },
    ],
    command: ['go', 'run', '.'],
  },
  {
    name: 'php',
    needs: 'php',
    program: (code) => [
      { file: 'check.php', text: code },
      {
        file: 'main.php',
        text: `<?php\nrequire 'check.php';\n$cases = json_decode(stream_get_contents(STDIN), true);\necho json_encode(array_map(fn ($c) => is_genuine($c['body'], $c['header'], $c['secret'], $c['now']), $cases));`,
      },
    ],
    command: ['php', 'main.php'],
  },
]

describe.each(languages)('in $name', ({ name, needs, program, command: [run = '', ...args] }) => {
  verifies(
    ['events/signature-age', 'events/signature-constant-time'],
    `the documented check in ${name} accepts signatures up to 300 seconds old and rejects others`,
    async ({ annotate }) => {
      const [block] = blocksIn(texts, name)
      expect(block?.code).toMatch(/timingSafeEqual|compare_digest|hmac\.Equal|hash_equals/)
      if (needs && !isInstalled(needs)) return void (await annotate(`${needs} is not installed: the check in ${name} was not run.`, 'warning'))
      for (const { file, text } of program(block?.code ?? '')) writeFileSync(join(folder, file), text)
      const cases = makeCases()
      const { status, stdout, stderr } = spawnSync(run, args, { cwd: folder, input: JSON.stringify(cases), encoding: 'utf8', timeout: 60_000 })
      expect([status, stderr]).toEqual([0, ''])
      const results = JSON.parse(stdout) as boolean[]
      expect(cases.map(({ what }, at) => [what, results[at]])).toEqual(cases.map(({ what, isGenuine }) => [what, isGenuine]))
    },
    // Long timeout, because the compiler may have to build imported packages.
    90_000,
  )
})
