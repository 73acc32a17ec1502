/** Checks the Kubernetes manifests in deploy/kubernetes against the Kubernetes API, and against each other. No cluster has run them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseYaml } from '@redocly/openapi-core'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { readEnv } from '#server/env.ts'
import { runTool, toolPackages, withTools } from '../support/public-tools.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'deploy/kubernetes')

// Tests read manifests of every kind and state the shape that they expect in their assertions.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Manifest = Record<string, any> & { readonly apiVersion: string; readonly kind: string; readonly metadata: { readonly name: string } }

const files = readdirSync(folder).filter((name) => name !== 'kustomization.yaml')
const manifests = files.flatMap((name) =>
  readFileSync(join(folder, name), 'utf8')
    .split(/^---$/m)
    .map((part) => parseYaml(part) as Manifest),
)
const ofKind = (kind: string) => manifests.filter((one) => one.kind === kind)
const podOf = ({ kind, spec }: Manifest) => (kind === 'CronJob' ? spec.jobTemplate.spec.template.spec : spec.template.spec)
const pods = [...ofKind('Deployment'), ...ofKind('CronJob')].map((one) => ({ name: one.metadata.name, spec: podOf(one) }))

type Model = new (data: object) => { validate: () => void }

/** Loads the class of a kind, which was generated from the OpenAPI document of Kubernetes. */
async function loadModel({ apiVersion, kind }: Manifest): Promise<Model> {
  const file = pathToFileURL(join(toolPackages, 'kubernetes-models', apiVersion, `${kind}.js`)).href
  return ((await import(file)) as Record<string, Model>)[kind] as Model
}

/** Compiles manifests as TypeScript, which rejects fields that Kubernetes does not have. @throws Error with the output of the compiler */
async function compile(all: readonly Manifest[]): Promise<void> {
  const project = mkdtempSync(join(tmpdir(), 'svc-kubernetes-'))
  onTestFinished(() => rmSync(project, { recursive: true, force: true }))
  symlinkSync(toolPackages, join(project, 'node_modules'))
  const lines = all.map(({ apiVersion, kind, ...rest }, no) => {
    const text = JSON.stringify(rest, null, 1)
    return `import { ${kind} as K${no} } from 'kubernetes-models/${apiVersion}/${kind}'\nexport const m${no} = new K${no}(${text})\n`
  })
  writeFileSync(join(project, 'manifests.ts'), lines.join('\n'))
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: [] }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['manifests.ts'] }))
  await runTool(join(root, 'node_modules/typescript-native/bin/tsc'), ['-p', '.'], project)
}

test(
  'every manifest is valid in the Kubernetes API',
  withTools(async () => {
    expect(manifests.length).toBeGreaterThan(12)
    for (const manifest of manifests) {
      const Model = await loadModel(manifest)
      expect(() => new Model(manifest).validate(), `${manifest.kind} ${manifest.metadata.name}`).not.toThrow()
    }
    await compile(manifests)
  }),
  60_000,
)

test(
  'the checks reject wrong types and unknown fields',
  withTools(async () => {
    const [deployment] = ofKind('Deployment')
    if (!deployment) throw new Error('There is no Deployment.')
    const Model = await loadModel(deployment)
    const withSpec = (more: object) => ({ ...deployment, spec: { ...deployment['spec'], ...more } })
    expect(() => new Model(withSpec({ replicas: 'three' })).validate()).toThrow('must be integer')
    await expect(compile([withSpec({ replica: 3 })])).rejects.toThrow("does not exist in type 'IDeploymentSpec'")
  }),
  60_000,
)

test('kustomization.yaml lists every manifest except the example of the secret', () => {
  const text = z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })
  const kustomization = z.strictObject({
    apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
    kind: z.literal('Kustomization'),
    namespace: z.literal(ofKind('Namespace')[0]?.metadata.name ?? ''),
    resources: z.array(z.string()),
    images: z.tuple([text]),
    labels: z.array(z.strictObject({ pairs: z.record(z.string(), z.string()) })),
  })
  const { resources, images } = kustomization.parse(parseYaml(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')))
  expect(resources.toSorted()).toEqual(files.filter((name) => name !== 'secret.example.yaml').toSorted())
  for (const { name, spec } of pods) for (const { image } of spec.containers) expect(image, name).toBe(images[0].name)
  expect(images[0].newTag).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
})

const secrets = new Map(ofKind('Secret').map(({ metadata, ...secret }): [string, Record<string, string>] => [metadata.name, secret['stringData']]))

type Pod = { readonly containers: readonly [{ readonly envFrom: readonly { readonly secretRef?: { readonly name: string } }[] }] }
const getSecrets = ({ containers: [{ envFrom }] }: Pod) => envFrom.flatMap(({ secretRef }) => (secretRef ? [secretRef.name] : []))
const getSecretValues = (pod: Pod): Record<string, string> => Object.assign({}, ...getSecrets(pod).map((name) => secrets.get(name)))

test('each pod gets only the secrets that it needs, and each secret is used by a pod', () => {
  const names = Object.fromEntries(pods.map(({ name, spec }) => [name, Object.keys(getSecretValues(spec)).toSorted()]))
  const database = ['DATABASE_MIGRATION_URL', 'DATABASE_URL']
  const service = [...database, 'METRICS_TOKEN', 'NEXTAUTH_SECRET', 'STRIPE_WEBHOOK_SECRET']
  expect(names).toEqual({ gateway: service, portal: [...service, 'MAIL_FROM', 'SMTP_URL', 'STRIPE_SECRET_KEY'].toSorted(), backup: database })
  for (const { name, spec } of pods) for (const secret of getSecrets(spec)) expect([...secrets.keys()], name).toContain(secret)
  expect(new Set(pods.flatMap(({ spec }) => getSecrets(spec)))).toEqual(new Set(secrets.keys()))
})

test('the settings are known and valid, and each pod has time to drain', () => {
  const settings: Record<string, string> = ofKind('ConfigMap')[0]?.['data']
  const known = new Set([...readFileSync(join(root, 'docs/operations.md'), 'utf8').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name))
  for (const name of [...Object.keys(settings), ...[...secrets.values()].flatMap(Object.keys)]) expect(known, name).toContain(name)
  for (const { name, spec } of pods) {
    const [{ env = [], envFrom }] = spec.containers
    expect(envFrom, name).toEqual([{ configMapRef: { name: 'settings' } }, ...getSecrets(spec).map((one) => ({ secretRef: { name: one } }))])
    const own = Object.fromEntries(env.map((one: { name: string; value: string }) => [one.name, one.value]))
    // The image listens on all interfaces of the pod (deploy/Dockerfile).
    const given = { ...settings, ...getSecretValues(spec), ...(name === 'backup' ? {} : { NEXTAUTH_SECRET: 's'.repeat(32) }), HOST: '0.0.0.0' }
    const { drainSeconds } = readEnv({ NODE_ENV: 'production', ...given, ...own })
    if (name !== 'backup') expect(spec.terminationGracePeriodSeconds, name).toBeGreaterThanOrEqual(drainSeconds + 15 + 3)
  }
})

test('every pod runs without privileges, on a read-only file system, with limits', () => {
  for (const { name, spec } of pods) {
    expect(spec, name).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    })
    for (const container of spec.containers) {
      expect(container, name).toMatchObject({
        securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        resources: { requests: { cpu: expect.any(String), memory: expect.any(String) }, limits: { memory: expect.any(String) } },
      })
      const volumes = spec.volumes.map((volume: { name: string }) => volume.name)
      expect(container.volumeMounts.map((mount: { name: string }) => mount.name).toSorted()).toEqual(volumes.toSorted())
    }
  }
})

test('services, budgets, the autoscaler and the ingress refer to existing pods and ports', () => {
  const deployments = ofKind('Deployment')
  const names = deployments.map(({ metadata }) => metadata.name)
  const labels = deployments.map(({ spec }) => spec.template.metadata.labels)
  for (const { spec } of deployments) expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels)
  for (const { spec } of ofKind('Service')) {
    expect(labels).toContainEqual(spec.selector)
    expect(spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }])
  }
  for (const { spec } of ofKind('PodDisruptionBudget')) expect(labels).toContainEqual(spec.selector.matchLabels)
  for (const { spec } of ofKind('HorizontalPodAutoscaler')) expect(names).toContain(spec.scaleTargetRef.name)
  const ports = deployments.map(({ spec }) => spec.template.spec.containers[0].ports)
  expect(ports).toEqual(ports.map(() => [{ name: 'http', containerPort: 3000 }]))
  const paths = ofKind('Ingress')[0]?.['spec'].rules[0].http.paths
  for (const { backend } of paths) expect(names).toContain(backend.service.name)
  const toGateway = paths.flatMap((one: { path: string; backend: { service: { name: string } } }) => (one.backend.service.name === 'gateway' ? [one.path] : []))
  expect(toGateway).toEqual(['/v1', '/mcp', '/api/v1', '/api/developer', '/api/stripe'])
})
