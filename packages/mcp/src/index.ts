/**
 * The public API of the package: the tools, and the program that serves them on standard input and output. All other
 * modules are internal (`docs/decisions/0086-packages.md`). `docs/reference/packages.md` lists the names.
 */
export { rightsAt, serveStdio, type StdioOptions, type ToolServer } from "./Stdio.ts"
export { type Right, type Tool } from "./Tool.ts"
export { tools } from "./Tools.ts"
