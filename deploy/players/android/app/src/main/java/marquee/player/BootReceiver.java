package marquee.player;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

/** Starts the player when the device has booted. From Android 10 on, the app must be the home app or device owner. */
public class BootReceiver extends BroadcastReceiver {
  @Override public void onReceive(Context context, Intent intent) {
    if (!Intent.ACTION_BOOT_COMPLETED.equals(intent.getAction())) return;
    context.startActivity(new Intent(context, PlayerActivity.class).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
  }
}
