import { run } from "./Program.ts"
import { processTerminal } from "./Terminal.ts"

// A closed pipe, as in `leadloom … | head`, is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))

process.exitCode = await run(process.argv.slice(2), processTerminal())
