/** The log events of the MCP server, in the form of the other catalogues (`core/port/system/Log.ts`). */
export const logEvents = {
  "mcp.tool_failed": {
    level: "error",
    sentence: "a tool of the MCP server failed",
    fields: [],
    when: "A tool caused a defect. The model received INTERNAL. Report it."
  }
} as const
