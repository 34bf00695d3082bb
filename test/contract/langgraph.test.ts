import { test, vi } from 'vitest';
import { langGraphHarness } from './harnesses/langgraph.js';
import { testPlugin } from './index.js';

// LangChain prints every throw of a callback handler.
vi.spyOn(console, 'error').mockImplementation(() => {});

testPlugin({ harness: langGraphHarness, test });
