import { layer as memory } from "@leadloom/core/port/MemoryStore"
import { intakeSuite } from "@leadloom/testkit/workflow/IntakeSuite"
import { pipelineSuite } from "@leadloom/testkit/workflow/PipelineSuite"

intakeSuite("memory", memory)
pipelineSuite("memory", memory)
