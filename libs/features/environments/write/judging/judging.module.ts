import { CoreModule } from '@assurance/access/write/core.module';
import { Module } from '@nestjs/common';
import { EnvironmentStatesModule } from '../environment-states.module';
import { JudgeAgain, JudgeNow } from './judge-again';
import { Judgement } from './judging';
import { JudgingWorker } from './judging-worker';
import { UniteMembers } from './unite-members';

/** Judges what environments run, now and again when evidence changes. */
@Module({
  imports: [CoreModule, EnvironmentStatesModule],
  providers: [Judgement, JudgeAgain, JudgeNow, UniteMembers, JudgingWorker],
  exports: [Judgement, JudgeNow, JudgingWorker],
})
export class JudgingModule {}
