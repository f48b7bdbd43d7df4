import type { LeakedKey } from "@leadloom/client"
import { Command } from "commander"
import { action } from "../Action.ts"
import { adminClient } from "../Connection.ts"
import { readText } from "../ReadJson.ts"
import { table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"

/** Matches text in the form of a key. The server verifies the checksum of each match. */
const shape = /ll[ks]_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}(?![0-9A-Za-z])/gu

/** The maximum number of keys per request. The command sends further keys in further requests. */
const maxKeysPerPass = 500

const format = (found: ReadonlyArray<LeakedKey>): string =>
  found.length === 0
    ? "No Leadloom keys found.\n"
    : table(
        ["KEY", "TENANT", "ID", "STATUS", "NOW"],
        found.map(({ id, live, prefix, revoked, status, tenant_id }) => [
          `${prefix}…`,
          tenant_id ?? "-",
          id ?? "-",
          status,
          revoked ? "revoked" : live ? "valid" : "invalid"
        ])
      )

/**
 * `leadloom keys check`: checks keys that appeared in public. The command sends only the keys to the server, not the
 * text around them.
 */
export const checkKeys = (terminal: Terminal): Command =>
  new Command("check")
    .description("find keys in a file or text and report whether they are valid")
    .argument("<file>", "file with the text, - for standard input, or the text itself, which other users can see")
    .option("--revoke", "revoke valid keys; for a source key, remove its source")
    .action(
      action<{ readonly revoke?: boolean }>(terminal, async ({ options, connection, show }, given = "") => {
        const text = given.search(shape) === -1 ? await readText(terminal, given) : given
        const keys = [...new Set(text.match(shape) ?? [])]
        const found: Array<LeakedKey> = []
        for (let from = 0; from < keys.length; from += maxKeysPerPass) {
          const part = keys.slice(from, from + maxKeysPerPass).join("\n")
          const checked = await adminClient(connection).leakedKeys.check({
            text: part,
            revoke: options.revoke === true
          })
          found.push(...checked.leaked_keys)
        }
        show({ leaked_keys: found }, () => format(found))
        if (options.json !== true && found.some(({ live, revoked }) => live && !revoked))
          terminal.err("Some keys are still valid. Revoke them with --revoke.\n")
      })
    )
