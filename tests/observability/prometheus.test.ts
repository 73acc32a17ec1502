import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { isPrometheusInstalled, type Prometheus, promtool, startPrometheus } from '../support/prometheus.ts'
import { Fixture } from '../v1/support/fixture.ts'
import { dashboardFiles, findFaults, getQueries, getSelectors, isExternal, readDashboard } from './support/dashboards.ts'
import { metricsToken, scrape } from './support/scrape.ts'

const root = join(import.meta.dirname, '../..')
const rulesFile = join(root, 'deploy/prometheus-alerts.yaml')

/** Metrics of prom-client whose names break the Prometheus naming rules. */
const namedByLibrary = /^nodejs_active_(?:handles|requests|resources)_total /

/** Returns the selectors in the runbooks that Prometheus can evaluate: metrics with or without labels. */
const selectors = (text: string) => [...new Set([...text.matchAll(/`((?:svc|nodejs|process)_[a-z0-9_]+(?:\{[^`]*\})?)`/g)].map(([, found = '']) => found))]

describe.skipIf(!isPrometheusInstalled())('with a real Prometheus', () => {
  const fixture = new Fixture('lean')
  let prometheus: Prometheus
  let folder = ''

  beforeAll(async () => {
    await fixture.open({ METRICS_TOKEN: metricsToken })
    const { key } = await fixture.live()
    for (const path of ['/ping', '/rates?limit=1', '/nowhere', '/rates?limit=many']) await fixture.get(path, key)
    await fixture.get('/ping', 'svc_live_unknown')
    folder = await mkdtemp(join(tmpdir(), 'svc-prometheus-files-'))
    await writeFile(join(folder, 'svc-token'), metricsToken)
    prometheus = await startPrometheus(await shippedConfiguration())
    await vi.waitFor(async () => expect((await prometheus.query('svc_job_late_seconds')).length).toBeGreaterThan(3), { timeout: 20_000, interval: 200 })
  }, 90_000)
  afterAll(async () => {
    await prometheus?.[Symbol.asyncDispose]()
    await fixture.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Returns the scrape configuration of docs/operations.md with the address of the test service and a short interval. */
  async function shippedConfiguration(): Promise<string> {
    const operations = await readFile(join(root, 'docs/operations.md'), 'utf8')
    const [, yaml = ''] = /```yaml\n(scrape_configs:[\s\S]*?)```/.exec(operations) ?? []
    const target = new URL(fixture.service.origin).host
    const pointed = yaml
      .replace('/etc/prometheus/svc-token', join(folder, 'svc-token'))
      .replace(/targets: \[[^\]]*\]/, `targets: ["${target}"]`)
      .replace('[prometheus-alerts.yaml]', `["${rulesFile}"]`)
    return `global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }\n${pointed}`
  }

  test('promtool accepts the alert rules and the metrics', async () => {
    expect(await promtool(['check', 'rules', rulesFile])).toContain('SUCCESS')
    const { text } = await scrape(fixture)
    const report = await promtool(['check', 'metrics'], text).catch((error: Error) => error.message)
    const complaints = report.split('\n').filter((line) => /^[a-z_]+ /.test(line) && !line.startsWith('promtool') && !namedByLibrary.test(line))
    expect(complaints).toEqual([])
  })

  test('all alerts evaluate without errors, and none fires for a healthy service', async () => {
    await expect.poll(async () => (await prometheus.rules()).every(({ health }) => health === 'ok'), { timeout: 10_000 }).toBe(true)
    const rules = await prometheus.rules()
    expect(rules.length).toBeGreaterThan(20)
    const active = async () => (await prometheus.rules()).filter(({ state }) => state !== 'inactive').map(({ name }) => name)
    await expect.poll(active, { timeout: 10_000 }).toEqual([])
  })

  test('keeps our label names, so that the queries in the runbooks work', async () => {
    expect(await prometheus.query('{__name__=~"svc_.*", exported_job!=""}')).toEqual([])
    expect(await prometheus.query('{__name__=~"svc_.*", exported_instance!=""}')).toEqual([])
    const runbooks = await readFile(join(root, 'docs/runbooks.md'), 'utf8')
    const asked = selectors(runbooks)
    expect(asked.length).toBeGreaterThan(20)
    const empty: string[] = []
    for (const selector of asked) {
      const name = selector.replace(/\{.*/, '')
      const found = await prometheus.query(selector.includes('{') ? selector : `{__name__=~"${name}(_count)?"}`)
      if (found.length === 0) empty.push(selector)
    }
    // There is no replica here, and Node may not have collected garbage since the first scrape.
    expect(empty.filter((name) => name !== 'nodejs_gc_duration_seconds')).toEqual(['svc_history_replica_used'])
  })

  test.each(dashboardFiles)('promtool accepts every query of %s', async (file) => {
    const rules = getQueries(file).map(({ expr }, no) => ({ record: `dashboard:query:${no}`, expr }))
    const rulesOfDashboard = join(folder, `${file}.rules.yaml`)
    // JSON is valid YAML.
    await writeFile(rulesOfDashboard, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    expect(await promtool(['check', 'rules', rulesOfDashboard])).toContain(`SUCCESS: ${rules.length} rules found`)
  })

  test.each(dashboardFiles)('every query of %s finds its metrics and labels', async (file) => {
    const faults = (await Promise.all(getQueries(file).map((query) => findFaults(query, prometheus.query)))).flat()
    const { types } = await scrape(fixture)
    const names = getQueries(file)
      .flatMap(({ expr }) => getSelectors(expr).filter((one) => !isExternal(one)))
      .map((one) => one.replace(/\{.*/, ''))
    expect(names.filter((name) => !types.has(name.replace(/_(bucket|sum|count)$/, '')))).toEqual([])
    // No call in these tests fails, no webhook is delivered, the database is not embedded, and Node may not have collected garbage yet.
    const expected = /status="500"|svc_webhook_attempt_duration|svc_data_disk_bytes|nodejs_gc_duration_seconds/
    expect(faults.filter((fault) => !expected.test(fault))).toEqual([])
  })
})

test.skipIf(!isPrometheusInstalled())('fires only one database alert, even if several processes report it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-promtool-'))
  const onEach = (series: string, value: number) =>
    ['a:1', 'b:1', 'c:1'].map((instance) => `{ series: '${series.replace('}', `,job="svc",instance="${instance}"}`)}', values: '${value}x30' }`)
  const series = [
    ...onEach('svc_job_late_seconds{name="mail.send"}', 900),
    ...onEach('svc_job_failing{name="mail.send"}', 0),
    ...onEach('svc_database_writable{role="any"}', 0),
    ...onEach('svc_clock_skew_seconds{role="any"}', 5),
  ]
  const expected = (name: string, labels: string, summary: string) =>
    `{ eval_time: 20m, alertname: ${name}, exp_alerts: [{ exp_labels: { ${labels} }, exp_annotations: { summary: '${summary}', runbook_url: 'docs/runbooks.md#${name.toLowerCase()}' } }] }`
  const rules = await readFile(rulesFile, 'utf8')
  const getSummary = (name: string) => new RegExp(`alert: ${name}\\n[\\s\\S]*?summary: (.*)\\n`).exec(rules)?.[1] ?? ''
  const file = join(folder, 'alerts.test.yaml')
  await writeFile(
    file,
    `rule_files: ['${rulesFile}']
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series: [${series.join(', ')}]
    alert_rule_test:
      - ${expected('JobLate', 'severity: ticket, name: mail.send', getSummary('JobLate'))}
      - ${expected('DatabaseCannotWrite', 'severity: page', getSummary('DatabaseCannotWrite'))}
      - { eval_time: 20m, alertname: JobFails, exp_alerts: [] }
      - { eval_time: 20m, alertname: ClockWrong, exp_alerts: [] }
`,
  )
  await promtool(['test', 'rules', file])
  await rm(folder, { recursive: true, force: true })
})

test.skipIf(!isPrometheusInstalled())('the alerts about database servers fire when they should, and not otherwise', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-promtool-'))
  const cases = await readFile(join(import.meta.dirname, 'database-alerts.yaml'), 'utf8')
  await writeFile(join(folder, 'alerts.test.yaml'), cases.replace('[RULES]', `["${rulesFile}"]`))
  await promtool(['test', 'rules', join(folder, 'alerts.test.yaml')])
  await rm(folder, { recursive: true, force: true })
})

test.skipIf(!isPrometheusInstalled())('record-backup.sh writes a metric that Prometheus accepts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-textfile-'))
  const record = (kind: string) => promisify(execFile)(join(root, 'deploy/record-backup.sh'), [kind], { env: { ...process.env, TEXTFILE_DIR: folder } })
  await record('pgbackrest')
  await expect(record('../elsewhere')).rejects.toThrow('KIND may only contain')
  expect(await readdir(folder)).toEqual(['backup-pgbackrest.prom'])
  const text = await readFile(join(folder, 'backup-pgbackrest.prom'), 'utf8')
  await promtool(['check', 'metrics'], text)
  const seconds = Number(/^backup_last_success_timestamp_seconds\{kind="pgbackrest"\} (\d+)$/m.exec(text)?.[1])
  expect(Math.abs(seconds - Date.now() / 1_000)).toBeLessThan(60)
  await rm(folder, { recursive: true, force: true })
})

test('panels have unique ids and do not overlap', () => {
  expect(dashboardFiles).toEqual(['calls.json', 'data-and-jobs.json', 'database.json'])
  for (const file of dashboardFiles) {
    const { panels } = readDashboard(file)
    expect(new Set(panels.map(({ id }) => id)).size, file).toBe(panels.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`))
    expect(new Set(cells).size, file).toBe(cells.length)
    for (const { gridPos, title } of panels) expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24)
  }
})
