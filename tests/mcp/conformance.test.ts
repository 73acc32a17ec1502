import { expect, test } from 'vitest'
import { onEachMount } from '../v1/support/fixture.ts'
import { type Revision, requiredScenarios, runConformance, suiteVersion } from './support/conformance.ts'
import { startKeyProxy } from './support/key-proxy.ts'

/**
 * Checks of the conformance suite that this server fails or gets a warning for, grouped by reason. All other checks must pass, and checks that pass must be
 * removed from this list.
 */
const reasons = {
  fixture: "uses a tool, resource or prompt that only the suite's test server has",
  logging: 'needs log messages to clients, a capability this server does not declare',
  completion: 'needs argument completion, a capability this server does not declare',
  subscription: 'needs resource subscriptions, a capability this server does not declare',
  headers: 'needs a tool whose arguments are mirrored in headers, which no tool here requires',
  tasks: "needs the optional tasks extension, which this server does not declare, or the suite's tool that creates a task",
  session: 'is a warning that no session id is issued: this server is stateless',
} as const

type Excused = Readonly<Partial<Record<keyof typeof reasons, readonly string[]>>>

const fixturesOfBoth = [
  'json-schema-2020-12:json-schema-2020-12-tool-found',
  'prompts-get-embedded-resource:prompts-get-embedded-resource',
  'prompts-get-simple:prompts-get-simple',
  'prompts-get-with-args:prompts-get-with-args',
  'prompts-get-with-image:prompts-get-with-image',
  'resources-read-binary:resources-read-binary',
  'resources-read-text:resources-read-text',
  'resources-templates-read:resources-templates-read',
  'tools-call-audio:tools-call-audio',
  'tools-call-embedded-resource:tools-call-embedded-resource',
  'tools-call-error:tools-call-error',
  'tools-call-image:tools-call-image',
  'tools-call-mixed-content:tools-call-mixed-content',
  'tools-call-simple-text:tools-call-simple-text',
  'tools-call-with-progress:tools-call-with-progress',
]

const aboutTasks = [
  'tasks-capability-negotiation:sep-2663-server-rejects-undeclared-client',
  'tasks-capability-negotiation:sep-2663-tasks-methods-non-declaring',
  'tasks-capability-negotiation:tasks-extension-advertised',
  'tasks-capability-negotiation:tasks-per-request-meta-opt-in',
  'tasks-dispatch-and-envelope:sep-2663-durable-create-strong-consistency',
  'tasks-dispatch-and-envelope:sep-2663-legacy-task-param-ignored',
  'tasks-dispatch-and-envelope:sep-2663-tasks-get-invalid-task-id-32602',
  'tasks-dispatch-and-envelope:tasks-immediate-result-shortcut',
  'tasks-dispatch-and-envelope:tasks-result-type-complete-on-non-task-responses',
  'tasks-dispatch-and-envelope:tasks-server-directed-creation-no-hint',
  'tasks-lifecycle:sep-2663-cancel-ack-empty-result',
  'tasks-lifecycle:sep-2663-result-type-task-on-create',
  'tasks-lifecycle:sep-2663-tasks-get-status-completed',
  'tasks-lifecycle:sep-2663-tasks-get-status-failed',
  'tasks-lifecycle:sep-2663-tasks-get-status-working',
  'tasks-lifecycle:sep-2663-tool-error-uses-completed-status',
  'tasks-lifecycle:tasks-cancel-terminal-idempotent-ack',
  'tasks-lifecycle:tasks-sync-tool-call',
  'tasks-mrtr-composition:sep-2663-mrtr-synchronous-before-task-creation',
  'tasks-mrtr-input:sep-2663-tasks-get-status-input-required',
  'tasks-mrtr-input:tasks-mrtr-partial-fulfillment',
  'tasks-mrtr-input:tasks-mrtr-tasks-update-resumes',
  'tasks-request-headers:sep-2663-routing-headers-accepted-on-tasks-get',
  'tasks-request-headers:sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
  'tasks-request-headers:tasks-headers-tolerate-mcp-method-on-tools-call',
  'tasks-request-state-removal:tasks-request-state-removal-setup',
  'tasks-required-task-error:sep-2663-server-returns-missing-capability-when-required',
  'tasks-wire-fields:tasks-no-early-ttl-expiry',
  'tasks-wire-fields:tasks-no-related-task-meta-on-inlined-result',
  'tasks-wire-fields:tasks-wire-field-renames',
]

const excused: Readonly<Record<Revision, Excused>> = {
  '2025-11-25': {
    fixture: [
      ...fixturesOfBoth,
      'elicitation-sep1034-defaults:elicitation-sep1034-general',
      'elicitation-sep1330-enums:elicitation-sep1330-general',
      'tools-call-elicitation:tools-call-elicitation',
      'tools-call-sampling:tools-call-sampling',
    ],
    logging: ['logging-set-level:logging-set-level', 'tools-call-with-logging:tools-call-with-logging'],
    completion: ['completion-complete:completion-complete'],
    subscription: ['resources-subscribe:resources-subscribe', 'resources-unsubscribe:resources-unsubscribe'],
    session: ['server-sse-multiple-streams:server-sse-multiple-streams-session', 'server-sse-polling:server-sse-polling-session'],
  },
  '2026-07-28': {
    fixture: [
      ...fixturesOfBoth,
      'input-required-result-basic-elicitation:sep-2322-elicitation-incomplete',
      'input-required-result-basic-list-roots:sep-2322-list-roots-incomplete',
      'input-required-result-basic-sampling:sep-2322-sampling-incomplete',
      'input-required-result-capability-check:sep-2322-respect-client-capabilities',
      'input-required-result-ignore-extra-params:sep-2322-ignore-unexpected-params',
      'input-required-result-missing-input-response:sep-2322-missing-response-rerequests',
      'input-required-result-multi-round:sep-2322-multi-round-r1',
      'input-required-result-multiple-input-requests:sep-2322-multiple-inputs-incomplete',
      'input-required-result-non-tool-request:sep-2322-non-tool-incomplete',
      'input-required-result-request-state:sep-2322-request-state-incomplete',
      'input-required-result-result-type:sep-2322-result-type-included',
      'input-required-result-tampered-state:sep-2322-reject-tampered-state',
      'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
      'server-stateless:sep-2575-missing-capability-http-400',
      'server-stateless:sep-2575-server-no-log-without-loglevel',
      'server-stateless:sep-2575-server-rejects-undeclared-capability',
    ],
    completion: ['completion-complete:completion-complete'],
    headers: [
      'http-custom-header-server-validation:sep-2243-server-decode-base64',
      'http-custom-header-server-validation:sep-2243-server-no-xmcp-tool',
      'http-custom-header-server-validation:sep-2243-server-reject-invalid-param-chars',
      'http-custom-header-server-validation:sep-2243-server-reject-param-mismatch',
      'http-custom-header-server-validation:sep-2243-server-validate-param-match',
    ],
    tasks: aboutTasks,
  },
}

test('the suite covers both revisions', () => {
  // Versions before 0.2.0-alpha.11 don't have requirement sets for both revisions.
  expect(suiteVersion()).toMatch(/^0\.2\.0-alpha\.(1[1-9]|[2-9]\d)$|^0\.2\.[0-9]+$|^0\.([3-9]|\d\d)\.|^[1-9]/)
})

onEachMount((fixture) => {
  // The runs are concurrent, because the suite spends most of its time waiting for messages that must not arrive.
  test.concurrent.each(['2025-11-25', '2026-07-28'] as const)('passes every check of %s except the known failures', { timeout: 150_000 }, async (revision) => {
    const { key } = await fixture.test()
    const proxy = await startKeyProxy(fixture.service.origin, key)
    try {
      const { scenarios, checks } = await runConformance(`${proxy.origin}/mcp`, revision)
      const required = requiredScenarios(revision)
      expect(required.length).toBeGreaterThan(25)
      expect(required.filter((scenario) => !scenarios.has(scenario))).toEqual([])
      const failed = [...checks].filter(([, status]) => status === 'FAILURE' || status === 'WARNING').map(([check]) => check)
      expect(failed.toSorted()).toEqual(Object.values(excused[revision]).flat().toSorted())
      const passed = [...checks].filter(([, status]) => status === 'SUCCESS')
      expect(passed.length).toBeGreaterThan(revision === '2025-11-25' ? 30 : 80)
      // Every message sent is valid against the schema of the revision, including messages of the tasks extension.
      expect(passed.filter(([check]) => check.endsWith(':wire-schema-valid')).length).toBeGreaterThan(20)
    } finally {
      proxy.close()
    }
  })
})
