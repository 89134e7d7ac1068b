import { Evaluator } from '@assurance/ingestion-evaluator';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** The evaluator of this process: its threads start when they are needed first, and end with the application. */
@Injectable()
export class OwnEvaluator extends Evaluator implements OnApplicationShutdown {
  constructor() {
    super();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
