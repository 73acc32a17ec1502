import type { Requirement } from './requirement.ts'

/** The simulation and the four calculators. */
export const calculators = {
  'calculators/simulate-product': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/simulate takes a sourceKey and uses the actual terms of the product.',
  },
  'calculators/simulate-plain-rate': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/simulate takes a plain rate instead of a product.',
  },
  'calculators/simulate-answer': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/simulate answers the interest and the end balance for a balance over a number of months.',
  },
  'calculators/simulate-bonus-ends': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: 'In /simulate an introductory bonus ends on time.',
  },
  'calculators/simulate-fixed-held': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: 'In /simulate a fixed rate is held to maturity.',
  },
  'calculators/regular-saver-parameters': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/calculators/regular-saver takes monthly, rate and months.',
  },
  'calculators/regular-saver-interest': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/calculators/regular-saver computes interest on each deposit.',
  },
  'calculators/savings-tax': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/calculators/savings-tax takes income and interest and answers the tax owed under the personal savings allowance.',
  },
  'calculators/isa-allowance': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/calculators/isa-allowance answers what is left of the ISA allowance.',
  },
  'calculators/savings-growth': {
    source: 'SPEC Endpoints: Calculators and simulation',
    behaviour: '/calculators/savings-growth answers how savings grow.',
  },
  'calculators/simulate-parameter-names': {
    source: 'DECISIONS 14',
    behaviour: '/simulate takes sourceKey or rate, amount with the alias balance, and months.',
  },
  'calculators/savings-tax-parameter-names': {
    source: 'DECISIONS 14',
    behaviour: '/calculators/savings-tax takes income, interest and an optional taxYear.',
  },
  'calculators/savings-growth-parameter-names': {
    source: 'DECISIONS 14',
    behaviour: '/calculators/savings-growth takes amount, rate, months and an optional monthly.',
  },
  'calculators/isa-allowance-parameter-names': {
    source: 'DECISIONS 14',
    behaviour:
      '/calculators/isa-allowance takes used, or cash, stocksShares, innovativeFinance and lifetime, and optional withdrawn, flexible, age and taxYear.',
  },
  'calculators/isa-allowance-used-is-sum': {
    source: 'DECISIONS 14',
    behaviour: 'In the answer of /calculators/isa-allowance used adds up the amounts per type.',
  },
  'calculators/isa-allowance-breaches': {
    source: 'DECISIONS 14',
    behaviour: 'In the answer of /calculators/isa-allowance breaches is non-empty when valid is false.',
  },
  'calculators/round-half-up-at-each-credit': {
    source: 'DECISIONS 29',
    behaviour: 'Every calculator rounds half-up to the penny at each credit of interest.',
  },
  'calculators/plain-rate-compounds-annually': {
    source: 'DECISIONS 30',
    behaviour: '/simulate with a plain rate compounds annually and says so in compounding.',
  },
  'calculators/product-compounds-as-paid': {
    source: 'DECISIONS 30',
    behaviour: '/simulate with a product compounds as its interestPaid says.',
  },
} as const satisfies Record<string, Requirement>
