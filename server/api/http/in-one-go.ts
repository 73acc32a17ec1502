/**
 * Does what is asked for within one turn of the event loop in one go, behind what the sockets hold. Work that goes through many steps which wait for each
 * other then takes each step for all of them, and the processor has the code of that step at hand: Next answers up to twice as many calls so. `work` must not throw.
 */
export function inOneGo<Item>(work: (item: Item) => void): (item: Item) => void {
  let asked: Item[] = []
  const go = () => {
    const items = asked
    asked = []
    for (const item of items) work(item)
  }
  return (item) => {
    if (asked.push(item) === 1) setImmediate(go)
  }
}
