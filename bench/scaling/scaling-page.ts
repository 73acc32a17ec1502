import { count, type Line, type Table } from './gauge.ts'

type About = { readonly at: string; readonly machine: string; readonly rounds: number; readonly seconds: number }

/** Formats a row. Microseconds a call equal CPU seconds for a million calls. */
function formatLine({ size, sample, ratio, more }: Line): string {
  const { requestsPerSecond, p99Ms, serverCpuMicros, databaseCpuMicros, takenByOthers } = sample
  const others = takenByOthers === null ? '–' : `${count(takenByOthers * 100)} %`
  const cells = [size, count(requestsPerSecond), ratio.toFixed(2), p99Ms.toFixed(1), count(serverCpuMicros), count(databaseCpuMicros), ...more, others]
  return `| ${cells.join(' | ')} |`
}

function formatTable({ title, against, columns, lines }: Table): string[] {
  const heads = ['', 'calls/s', `relative to ${against}`, 'p99 ms', 'node s', 'PostgreSQL s', ...columns, 'used by others']
  return [`## ${title}`, '', `| ${heads.join(' | ')} |`, `| --- |${' ---: |'.repeat(heads.length - 1)}`, ...lines.map(formatLine), '']
}

/** Formats the tables for terminals and as Markdown. */
export function scalingPage(tables: readonly Table[], { at, machine, rounds, seconds }: About): string {
  return [
    '# Scaling',
    '',
    `${at}, ${machine}. Medians of ${rounds} alternating rounds of ${seconds} s, 128 connections, \`/v1/rates?limit=10\` (8.8 kB, 10 credits), 100 accounts.`,
    'node s and PostgreSQL s are CPU seconds for a million calls. After every sample the responses are compared with the log, and the balances with their entries.',
    '',
    ...tables.flatMap(formatTable),
  ].join('\n')
}
