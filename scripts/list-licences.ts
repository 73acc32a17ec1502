/** node scripts/list-licences.ts [--all]: prints the licences of the runtime packages, or of all packages with --all. */
import { getLicence, lockedPackages } from './licences.ts'

const packages = lockedPackages().filter(({ isRuntime }) => isRuntime || process.argv.includes('--all'))
const counts = new Map<string, number>()
for (const one of packages) {
  counts.set(getLicence(one), (counts.get(getLicence(one)) ?? 0) + 1)
  console.log(`${getLicence(one)}\t${one.name}@${one.version}`)
}
console.log('')
for (const [licence, count] of [...counts].toSorted(([a, x], [b, y]) => y - x || a.localeCompare(b))) console.log(`${count}\t${licence}`)
