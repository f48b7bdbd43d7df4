/**
 * Tests rules against past messages before they apply.
 *
 *     LEADLOOM_ADMIN_KEY=… node examples/rules-and-backtest/index.ts            (reports, changes nothing)
 *     LEADLOOM_ADMIN_KEY=… node examples/rules-and-backtest/index.ts --apply    (then saves the rules)
 */
import { type BacktestReport, createClient, isLeadloomError, type Rule } from "@leadloom/client"
import { rules } from "./rules.ts"

const tenant = process.env["LEADLOOM_TENANT"] ?? "demo"
const client = createClient({
  baseUrl: process.env["LEADLOOM_URL"] ?? "http://127.0.0.1:4800",
  credential: process.env["LEADLOOM_ADMIN_KEY"]
})

/** Returns the current rules with the proposed ones. */
const withProposed = (current: ReadonlyArray<Rule>): ReadonlyArray<Rule> => [
  ...current.filter(({ id }) => !rules.some((rule) => rule.id === id)),
  ...rules
]

/** Prints the messages and actions that the proposed rules would change. */
const print = ({ actions, changed, examined, rules: matches }: BacktestReport): void => {
  console.log(`${examined} messages examined, ${changed} decided differently`)
  for (const { after, before, examples, gained, lost, name } of matches) {
    if (gained === 0 && lost === 0) continue
    console.log(`rule "${name}": ${before} -> ${after}`)
    for (const { excerpt } of examples) console.log(`  ${excerpt}`)
  }
  for (const { after, before, type } of actions)
    if (after !== before) console.log(`action ${type}: ${before} -> ${after}`)
}

const main = async (): Promise<void> => {
  const { config, version } = await client.config.get(tenant)
  const proposed = withProposed(config.rules)
  // The server decides all messages of the last 30 days again, from their stored inputs. It stores and sends nothing.
  print(await client.backtest.run(tenant, { rules: proposed, examples: 2 }))
  if (!process.argv.includes("--apply")) return
  // Fails if someone changed the configuration after the back-test.
  const saved = await client.config.update(tenant, { rules: proposed }, { ifMatch: version })
  console.log(`saved as version ${saved.version}`)
}

try {
  await main()
} catch (error) {
  if (!isLeadloomError(error)) throw error
  console.error(`${error.code}: ${error.message} (${error.requestId ?? "no request id"})`)
  process.exitCode = 1
}
