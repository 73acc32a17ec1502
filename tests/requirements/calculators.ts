import type { Requirement } from './requirement.ts'

/** The simulation and the four calculators. */
export const calculators = {
  'calculators/simulate-product': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/simulate accepts a sourceKey and uses the actual terms of the product.',
  },
  'calculators/simulate-plain-rate': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/simulate accepts a plain rate instead of a product.',
  },
  'calculators/simulate-answer': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/simulate returns the interest and the end balance for an opening balance and a number of months.',
  },
  'calculators/simulate-bonus-ends': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/simulate ends an introductory bonus on time.',
  },
  'calculators/simulate-fixed-held': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/simulate keeps a fixed rate until maturity.',
  },
  'calculators/regular-saver-parameters': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/calculators/regular-saver accepts monthly, rate and months.',
  },
  'calculators/regular-saver-interest': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/calculators/regular-saver computes interest on each deposit.',
  },
  'calculators/savings-tax': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/calculators/savings-tax accepts income and interest and returns the tax owed under the personal savings allowance.',
  },
  'calculators/isa-allowance': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/calculators/isa-allowance returns the remaining ISA allowance.',
  },
  'calculators/savings-growth': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/calculators/savings-growth returns the growth of savings.',
  },
  'calculators/simulate-parameter-names': {
    source: 'DECISIONS 14',
    behaviour: '/simulate accepts sourceKey or rate, amount with the alias balance, and months.',
  },
  'calculators/savings-tax-parameter-names': {
    source: 'DECISIONS 14',
    behaviour: '/calculators/savings-tax accepts income, interest and an optional taxYear.',
  },
  'calculators/savings-growth-parameter-names': {
    source: 'DECISIONS 14',
    behaviour: '/calculators/savings-growth accepts amount, rate, months and, optionally, monthly.',
  },
  'calculators/isa-allowance-parameter-names': {
    source: 'DECISIONS 14',
    behaviour:
      '/calculators/isa-allowance accepts used, or cash, stocksShares, innovativeFinance and lifetime, and optional withdrawn, flexible, age and taxYear.',
  },
  'calculators/isa-allowance-used-is-sum': {
    source: 'DECISIONS 14',
    behaviour: 'In /calculators/isa-allowance responses, used is the sum of the amounts by type.',
  },
  'calculators/isa-allowance-breaches': {
    source: 'DECISIONS 14',
    behaviour: 'In /calculators/isa-allowance responses, breaches is non-empty if valid is false.',
  },
  'calculators/round-half-up-at-each-credit': {
    source: 'DECISIONS 29',
    behaviour: 'Every calculator rounds half up to the penny at each interest credit.',
  },
  'calculators/plain-rate-compounds-annually': {
    source: 'DECISIONS 30',
    behaviour: '/simulate with a plain rate compounds annually, as stated in the field compounding.',
  },
  'calculators/product-compounds-as-paid': {
    source: 'DECISIONS 30',
    behaviour: "/simulate with a product compounds at the frequency in the product's interestPaid.",
  },
} as const satisfies Record<string, Requirement>
