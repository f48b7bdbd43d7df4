/**
 * Checks the reports of the day that `index.ts` has played. The server counts messages at the age of a minute, so run it
 * some minutes later. It fails while the counts are incomplete.
 *
 *     LEADLOOM_ADMIN_KEY=… node examples/agent-day/reports.ts
 */
import { connect } from "./Day.ts"
import { checkReports } from "./steps/Reports.ts"

for (const line of await checkReports(connect(process.env))) console.log(line)
