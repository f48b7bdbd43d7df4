import { layer as memory } from "@leadloom/core/port/MemoryStore"
import { numbersSuite } from "@leadloom/testkit/workflow/NumbersSuite"
import { mergedTextsSuite } from "@leadloom/testkit/workflow/MergedTextsSuite"
import { sentTextsSuite } from "@leadloom/testkit/workflow/SentTextsSuite"
import { textsSuite } from "@leadloom/testkit/workflow/TextsSuite"

numbersSuite("memory", memory)
textsSuite("memory", memory)
sentTextsSuite("memory", memory)
mergedTextsSuite("memory", memory)
