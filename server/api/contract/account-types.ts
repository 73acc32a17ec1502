/** Account types with labels and descriptions, by the value used in filters. */
export const accountTypes = {
  all: { label: 'All', description: 'Every account type; same as omitting the parameter.' },
  'easy-access': { label: 'Easy access', description: 'Withdraw without notice or loss of interest; some accounts limit the number of withdrawals a year.' },
  'fixed-rate': { label: 'Fixed rate', description: 'A rate fixed for a set term; money is usually locked until maturity.' },
  notice: { label: 'Notice', description: "Withdraw after a set number of days' notice." },
  'cash-isa': { label: 'Cash ISA', description: 'Tax-free cash savings within the yearly ISA allowance.' },
  'junior-isa': { label: 'Junior ISA', description: 'Tax-free savings for a child, locked until the age of 18.' },
  'lifetime-isa': { label: 'Lifetime ISA', description: 'Savings for a first home or later life with a 25% government bonus.' },
  'stocks-shares-isa': { label: 'Stocks and shares ISA', description: 'Tax-free investments; the value can go down as well as up.' },
  'regular-saver': { label: 'Regular saver', description: 'Monthly deposits up to a limit, usually for one year.' },
  'childrens-savings': { label: "Children's savings", description: 'Savings accounts held by or for a child.' },
} as const satisfies Record<string, { label: string; description: string }>

export type AccountType = keyof typeof accountTypes

/** Account type of a product: every value except the filter `all`. */
export type ProductType = Exclude<AccountType, 'all'>

export const accountTypeValues = Object.keys(accountTypes) as [AccountType, ...AccountType[]]
