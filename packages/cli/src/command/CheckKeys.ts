import type { LeakedKey } from "@leadloom/client"
import { Command } from "commander"
import { action } from "../Action.ts"
import { adminClient } from "../Connection.ts"
import { readText } from "../ReadJson.ts"
import { table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"

/** Anything of the form of a key. The server tells by the checksum which are ones. */
const shape = /ll[ks]_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}(?![0-9A-Za-z])/gu

/** The server looks up so many keys at once; longer reports are sent in parts. */
const maxKeysPerPass = 500

const format = (found: ReadonlyArray<LeakedKey>): string =>
  found.length === 0
    ? "No keys of Leadloom in it.\n"
    : table(
        ["KEY", "TENANT", "ID", "STATUS", "NOW"],
        found.map(({ id, live, prefix, revoked, status, tenant_id }) => [
          `${prefix}…`,
          tenant_id ?? "-",
          id ?? "-",
          status,
          revoked ? "revoked" : live ? "still works" : "opens nothing"
        ])
      )

/** `leadloom keys check`: what keys somebody found lying about open. Nothing but the keys leaves this machine. */
export const checkKeys = (terminal: Terminal): Command =>
  new Command("check")
    .description("find keys in a file or a text, and say whether they still work")
    .argument("<file>", "a file, - for standard input, or the text itself")
    .option("--revoke", "revoke those that still work; the sources of source keys are removed")
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
          terminal.err("Some of them still work. End them with --revoke.\n")
      })
    )
