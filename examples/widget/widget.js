/** Fills each element with `data-savings-rates` with a table of the best rates of that account type. */

function element(name, text, ...children) {
  const made = document.createElement(name)
  // Text is never parsed as HTML.
  if (text !== '') made.textContent = text
  made.append(...children)
  return made
}

function toTable({ rows }) {
  const head = element('tr', '', ...['Provider', 'Account', 'AER'].map((title) => element('th', title)))
  const body = rows.map(({ provider, accountName, rate }) => element('tr', '', ...[provider, accountName, `${rate}%`].map((text) => element('td', text))))
  return element('table', '', element('thead', '', head), element('tbody', '', ...body))
}

async function fill(target) {
  try {
    const response = await fetch(`/savings-rates?${new URLSearchParams({ type: target.dataset.savingsRates })}`)
    if (!response.ok) throw new Error(`Status ${response.status}`)
    const rates = await response.json()
    const day = new Date(rates.updatedAt).toLocaleDateString('en-GB', { dateStyle: 'long' })
    target.replaceChildren(toTable(rates), element('p', `${rates.attribution} Rates as of ${day}.`))
  } catch (error) {
    console.error(error)
    target.replaceChildren(element('p', 'The rates are not available at the moment.'))
  }
}

for (const target of document.querySelectorAll('[data-savings-rates]')) void fill(target)
