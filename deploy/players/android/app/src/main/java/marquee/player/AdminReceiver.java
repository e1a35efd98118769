package marquee.player;

import android.app.admin.DeviceAdminReceiver;

/** Lets the app become the device's owner, which locks the screen to the player. */
public class AdminReceiver extends DeviceAdminReceiver {}
