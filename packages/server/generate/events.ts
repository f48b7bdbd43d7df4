import { writeFile } from "node:fs/promises"
import { eventsPage } from "./EventsPage.ts"

await writeFile(new URL("../../../docs/reference/events.md", import.meta.url), eventsPage())
