import type { Rule } from "@leadloom/client"
import { queryOptions } from "@tanstack/react-query"
import type { Connection } from "../app/Connection.ts"
import { rowsOptions } from "../app/Rows.tsx"
import { inOrder } from "./Edit.ts"

/** The rules of a version of the configuration, in the order of evaluation. */
export interface RuleSet {
  readonly version: number
  readonly rules: ReadonlyArray<Rule>
}

const historyPageSize = 20

/** Reads the current rules. */
export const readRules = async ({ client, tenantId }: Connection, signal?: AbortSignal): Promise<RuleSet> => {
  const { config, version } = await client.config.get(tenantId, { signal })
  return { version, rules: inOrder(config.rules) }
}

/** The request of the current rules. Every visit reads them, because no event reports a change. */
export const rulesOptions = (connection: Connection) =>
  queryOptions({
    queryKey: [connection.tenantId, "rules"] as const,
    queryFn: ({ signal }) => readRules(connection, signal),
    gcTime: 0
  })

/** The request of the history, page by page, newest version first. */
export const historyOptions = ({ client, tenantId }: Connection) => ({
  ...rowsOptions([tenantId, "rules", "history"], async (cursor, signal) => {
    const page = await client.config.audit(tenantId, { cursor, limit: historyPageSize, signal })
    return { rows: page.entries, next: page.next_cursor }
  }),
  gcTime: 0
})

/** The request of the rules of an earlier version. Versions never change. */
export const versionOptions = ({ client, tenantId }: Connection, version: number) =>
  queryOptions({
    queryKey: [tenantId, "rules", "version", version] as const,
    queryFn: async ({ signal }): Promise<RuleSet> => {
      const { config } = await client.config.version(tenantId, String(version), { signal })
      return { version, rules: inOrder(config.rules) }
    }
  })

/** Returns rules as text for comparisons. */
export const textOfRules = (rules: ReadonlyArray<Rule>): string => JSON.stringify(rules, null, 2)
