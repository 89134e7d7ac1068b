import { CoreModule } from '@assurance/access/write/core.module';
import { Module } from '@nestjs/common';
import { EnvironmentStatesModule } from '../environment-states.module';
import { JudgeAgain, ImmediateJudgement } from './judge-again';
import { Judgement } from './judging';
import { JudgingWorker } from './judging-worker';
import { UniteMembers } from './unite-members';

/** Judges what environments run, now and again when evidence changes. */
@Module({
  imports: [CoreModule, EnvironmentStatesModule],
  providers: [Judgement, JudgeAgain, ImmediateJudgement, UniteMembers, JudgingWorker],
  exports: [Judgement, ImmediateJudgement, JudgingWorker],
})
export class JudgingModule {}
