/** Credits as they are typed, with a sign when they are taken: `50`, `-50`, `1,000`. Null when it is no whole number, or 0. */
export function creditsTyped(text: string): number | null {
  const plain = text.replace(/[\s,]/g, '').replace('−', '-')
  return /^[+-]?\d{1,9}$/.test(plain) && Number(plain) !== 0 ? Number(plain) : null
}
