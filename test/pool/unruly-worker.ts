// A worker that does what it is told, also dying and hanging.
import { serve } from '../../src/pool/serve.js';

export type Task = { do: 'answer' | 'exit' | 'hang' | 'exhaust' | 'wait' | 'spin'; value: number };

serve<Task, number>(async (task) => {
  switch (task.do) {
    case 'exit':
      process.exit(7);
      break;
    case 'hang':
      for (;;);
    case 'exhaust': {
      const kept: number[][] = [];
      for (;;) kept.push(new Array(100_000).fill(task.value));
    }
    case 'spin': {
      const end = performance.now() + task.value;
      while (performance.now() < end);
      break;
    }
    case 'wait':
      await new Promise((resolve) => setTimeout(resolve, task.value));
      break;
  }
  return { result: task.value * 2 };
});
