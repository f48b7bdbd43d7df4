import * as connectors from "@leadloom/connectors/internal/provider/LogEvents"
import { type LogEvents, logFields, logLevels } from "@leadloom/core/internal/port/system/Log"
import * as core from "@leadloom/core/internal/workflow/LogEvents"
import * as mcp from "@leadloom/mcp/internal/LogEvents"
import * as store from "@leadloom/store/internal/LogEvents"
import * as server from "../src/LogEvents.ts"
import { cell, markdownTable } from "./MarkdownTable.ts"

/** The catalogues of all packages. */
export const logCatalogues: Readonly<Record<string, LogEvents>> = {
  Server: server.logEvents,
  Messages: core.logEvents,
  Providers: connectors.logEvents,
  Database: store.logEvents,
  "Language models as clients": mcp.logEvents
}

const codes = (names: ReadonlyArray<string>): string => names.map((name) => `\`${name}\``).join(", ")

const section = ([title, events]: readonly [string, LogEvents]): ReadonlyArray<string> => [
  `## ${title}`,
  "",
  ...markdownTable(
    ["event", "level", "sentence", "fields", "when, and what to do"],
    Object.entries(events)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { fields, level, sentence, when }]) => [
        codes([name]),
        level,
        cell(sentence),
        codes(fields),
        cell(when)
      ])
  ),
  ""
]

/** Returns the reference of the log, `docs/reference/logs.md`. */
export const logsPage = (): string =>
  [
    "# Log events",
    "",
    "Generated from the `LogEvents.ts` of each package by `npm run generate`. Do not edit.",
    "",
    `Every line of the log has a \`time\` (ISO 8601 in UTC), a \`level\` (${codes(logLevels)}), an`,
    "`event`, a sentence in `message`, and the fields of the event. Names of events and fields are stable; sentences may change.",
    "An unexpected failure also has a `cause`. Lines about a request have `request_id`. Lines about work have the field of",
    "their item: `signal`, `message_id`, `job` or `webhook`, with `tenant` and `attempts`. A line that a library writes has the",
    "event `library`; the server's libraries do so at the level `debug` only.",
    "[Logs](../how-to/logs.md) explains formats, levels and collectors.",
    "",
    ...Object.entries(logCatalogues).flatMap(section),
    "## Fields",
    "",
    "No field contains a secret, or text that a contact wrote. `reason` and `cause` may contain the response of a provider.",
    "",
    ...markdownTable(
      ["field", "meaning"],
      Object.entries(logFields).map(([name, meaning]) => [codes([name]), cell(meaning)])
    ),
    ""
  ].join("\n")
